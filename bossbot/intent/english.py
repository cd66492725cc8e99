"""How English words a change of plan: phrase templates by kind, most telling kind first.

A kind with `?` counts only when the board knows the thing named: "skip the cache" is about a task, "skip the first
line" is not. Order matters: a refusal ("don't drop") is looked for before the act it refuses.
"""

MACROS = {
    "be": "is|are|'s|gets|get|has_been|have_been|can_be|can|should_be|must_be|will_be|needs_to_be|has_to_be"
    "|could_be|to_be|goes|is_being|are_being|may_be",
    "now": "now|both|each|officially|also|all|therefore|definitely|going_to_be|really|just|simply|probably"
    "|all_going_to_be|to_be",
    "not": "don't|do_not|dont|let's_not|lets_not|not|never|no_longer|won't|will_not|shouldn't|should_not"
    "|needn't|aren't|no_need_to|not_going_to|no_point_in|there's_no_need_to|there_is_no_need_to|not_even"
    "|cannot|can't|mustn't|must_not|don't_want_you_to|don't_want_to|don't_want|don't_need_to|don't_have_to"
    "|do_not_need_to|not_to|without|not_gonna|don't_even|there's_no_point_in|isn't|won't_be"
    "|no_need_for_you_to|not_asking_you_to|don't_you_dare|please_don't",
    "end": "drop*|scrap*|ditch*|axe*|cancel*|abandon*|forget|stop*|pause*|park*|shelve*|postpone*|delay*"
    "|defer*|kill*|hold|suspend*|halt*|quit|throw_away|give_up|give_up_on|interrupt*|lose|skip*|freeze"
    "|remove*|delete*|put",
    "else": "anything_else|everything_else|all_else|the_rest|all_the_rest|the_others|others|all_the_others"
    "|all_others|everything|anything|any_other_work|any_other_task|the_other_stuff|the_other_things"
    "|the_other_tasks|other_things|other_tasks|all_other_tasks|the_other_ones|the_remaining_tasks"
    "|any_of_the_others|everyone_else|all_of_the_rest|any_of_the_rest|all_other_work|other_work",
    "plan": "plan|list|board|scope|backlog|sprint|roadmap|queue|to-do|todo_list|todo|to-do_list|agenda|table"
    "|release|milestone",
    "the": "the|our|my|your|a|an|its|that|this|is|now|as|of|new|current",
    "hold": "on_hold|on_ice|on_pause|on_the_back_burner|on_the_backburner|on_the_shelf|on_the_side|aside"
    "|to_one_side|to_the_side|in_the_parking_lot|away_for_now|down_for_now|on_the_back-burner|in_the_backlog"
    "|on_standby|in_the_fridge|in_the_freezer",
    "later": "later|for_later|until_later|to_later|next_week|to_next_week|until_next_week|next_sprint"
    "|to_next_sprint|to_the_next_sprint|next_month|to_next_month|another_time|another_day|some_other_time"
    "|to_v2|for_another_day|for_another_time|to_the_next_release|to_next_release|to_tomorrow|until_tomorrow"
    "|for_tomorrow|till_later|to_the_backlog|to_next_quarter|to_the_next_milestone|to_phase_2|for_next_week"
    "|for_next_sprint|down_the_road|at_a_later_point|in_a_later_iteration|for_the_next_release|back_a_bit"
    "|back_a_week|at_some_point",
    "top": "first|first_thing|up_first|next|up_next|up_front|to_the_top|to_the_front|at_the_top|at_the_front"
    "|on_top|to_the_head|ahead_of_everything|to_the_very_top|to_number_one|to_the_start|at_the_beginning"
    "|first_of_all|before_all|to_first_place|first_in_line|at_the_head|at_the_very_top|to_first_position"
    "|top_of_the_list|to_position_1|in_first_place|to_the_beginning|on_the_top",
    "soon": "asap|immediately|right_away|right_now|straight_away|at_once|urgently|without_delay|now|today"
    "|this_instant|as_soon_as_possible",
    "must": "must|should|has_to|have_to|needs_to|need_to|will|can|ought_to|gets_to|gotta|is_to|are_to|shall"
    "|better|really|just|always",
    "bottom": "last|to_the_bottom|at_the_bottom|to_the_end|at_the_end|to_the_back|at_the_back"
    "|to_the_very_end|for_last|to_last|for_the_end|dead_last|to_the_tail|until_the_end|till_the_end"
    "|till_last|until_last|to_the_very_bottom|lowest_priority|low_priority|the_lowest_priority",
    "task": "task|ticket|card|todo|work_item|story|to-do|follow-up|item",
}

PLAN = (
    (
        "keep",
        """
{not} {end} X
{not} {end}
keep|leave|let|have X running|going|alive|active|as_is|as_planned|open|untouched
continue|resume* [working|on|with] X
carry_on|carry|stick|proceed|go_on [on] with X
keep [on] working|going|doing [on|with] X
X stays|remains|continues|stay|remain|keeps_going|is_unaffected|goes_on|keeps_running|is_still_on|must_stay|
  should_stay|is_fine
""",
    ),
    (
        "cancel",
        """
drop*|take*|remove*|strike*|delete*|cut*|cross*|kick*|pull*|get X off|from|out_of [the|our|this|my|current]
  [current] {plan}
{not} bother|bothering [with|about|to|doing] [do|doing|fix|fixing] X
{not} need|needed|needing|waste_time_on|spend_time_on|spend_more_time_on|spend_any_more_time_on|pursue|
  pursuing|care_about|waste_any_more_time_on|spending_time_on X
no need|use|point for|in [do|doing|continue|continuing|with] X
no need|use|point to do|continue|bother|work_on|finish [with] X
no_longer|don't need|want|needs|wants [the] X
customer|customers|client|clients|users|people|they|nobody|no_one doesn't|don't|no_longer need|needs|wants|
  want X anymore|any_more
drop*|scrap*|ditch*|axe*|nix*|cancel*|abandon*|descope*|bin [all|entirely|completely] X
forget|forgetting [all] [about] X
never_mind|nevermind|nvm|call*_off|give*_up_on|giving_up_on|do_away_with|pull*_the_plug_on|throw*_out|
  throw*_away|retire* [about] X
call*|throw* X off|out|away
enough of|with X
stop* bothering|wasting_time|caring|wasting_effort [with|about|on] X
not|no_longer needed|necessary|required|happening|wanted|worth_it [anymore|any_more] $
done|finished|through with X
no_more X
X {be} [now] [{now}] dropped|cancelled|canceled|scrapped|axed|abandoned|ditched|killed|nixed|descoped|
  called_off|thrown_out|thrown_away|tossed|retired|cut|out_of_scope|off_the_table|off_the_list|off_the_plan|
  off_the_board|off_the_menu|dead|history|obsolete|moot|binned
remove*|delete*|close*|kill* X task|ticket|card|todo|story|work_item $
X {be} [now] [{now}] no_longer|not needed|necessary|required|relevant|wanted|in_scope|happening|planned|
  worth_it|worth_doing|worth_the_effort|going_to_happen|part_of_the_plan
X isn't|aren't|won't_be|ain't needed|necessary|required|happening|wanted|worth_it|worth_doing|
  worth_the_effort|going_to_happen|relevant|in_scope|part_of_the_plan
X no_longer matters|matter|needed|required|necessary|makes_sense
X doesn't|don't matter|make_sense [anymore|any_more]
X not needed|required|necessary|happening|going_ahead [anymore|any_more]
X is|are out|off|gone|over $
X can|has_to|have_to|must go $
X goes|go away|out|out_of_the_window|in_the_bin
""",
    ),
    (
        "cancel?",
        """
skip*|kill*|dump*|discard*|toss*|cut*|chuck*|trash*|lose|ignore*|remove*|delete*|eliminate*|exclude*|
  get_rid_of|getting_rid_of|scratch*|close*|omit*|withdraw*|strike* [off|out] X
leave*|take*|strike*|cross* X out|off
leave*|leaving out X
{not} do|doing|build|building|implement|implementing|work_on|working_on|continue|continuing|start|starting|
  proceed_with|go_ahead_with|going_ahead_with|handle|deal_with|rebuild|rebuilding|rewrite|rewriting|migrate|
  migrating|ship|shipping|finish|finishing|fix|fixing|tackle|refactor|refactoring|develop|add|adding|touch|
  touching|want [with|on] X
X {be} [now] [{now}] removed|skipped|deleted|closed|left_out|ignored
no X [task|work|for_me] $
{not} +ing X
without X $
""",
    ),
    (
        "pause",
        """
put*|putting|keep|place*|set|leave*|let [the] X {hold}
put*|putting|set|lay|leave* aside X
put*|putting off|on_hold|on_ice|on_pause X
push*|move*|kick*|shift*|leave*|bump*|save*|put*|postpone*|defer*|delay*|keep|bring* X [out|off|back] {later}
push*|bump*|kick* [back|off] X [back|out|off] to|until|till Y
pause*|shelve*|postpone*|suspend*|halt*|park*|defer*|sideline*|backburner|back-burner|mothball* [work_on|
  working_on|the_work_on] X
freeze|freezing|table*|delay*|hold|holding [off] [on|with] [doing] X
hold_off|holding_off|hold_fire|hold_up [on|with] [doing] X
stop*|quit|quitting|cease* working_on|work_on|doing|with|building|the_work_on X
take_a_break|step_away|step_back|back_off from X
leave*|leaving X alone|be|for_now|for_later|until|till|for_the_moment|for_tomorrow|for_next|for_a_bit|
  for_a_while|for_another|where_it_is|as_it_is
come_back|get_back|go_back|return to X {later}
revisit|do|handle|tackle|fix|finish|look_at|get_to|deal_with|pick_up X {later}
X {be} [now] [{now}] paused|parked|shelved|postponed|suspended|frozen|delayed|deferred|tabled|put_on_hold|
  set_aside|put_aside|put_on_ice|stopped|on_the_back_burner
X {be} [now] [{now}] {hold}
X {hold} $
X can|will|must|has_to|have_to|should [all|really|definitely|probably|certainly|just|have_to] wait
X {be} [now] for_later|waiting|not_urgent|not_a_priority|not_that_urgent|not_important|not_pressing|no_rush
X isn't|aren't|is_not|are_not [that|so|as|really|very] urgent|a_priority|pressing|the_priority|important
X later|for_later|another_time|another_day|some_other_time $
X not now|right_now|yet|today|for_now $
not now|yet with|for|on X
{not} worry|worrying [about] X
{not} focus|focusing|concentrate|prioritize|prioritise|rush|care|mess|get_to|look_at|looking_at [on|about|
  with|into] X
""",
    ),
    (
        "pause?",
        """
stop*|hold|keep|delay*|ice|interrupt* [off|on] X
no_rush|no_hurry [on|with|for] X
wait [on|with|for] X
""",
    ),
    (
        "last",
        """
put*|move*|push*|bump*|send*|shift*|drop*|keep|leave*|do|schedule*|save*|rank*|set|demote*|place* X [down]
  {bottom}
X [should|must|can|has_to|will] comes|goes|come|go|is|be|are [done] {bottom}
X {bottom} $
deprioritize*|deprioritise*|demote*|lower_the_priority_of|downgrade* X
""",
    ),
    (
        "swap",
        """
swap*|switch*|exchange*|flip* X and|with|& Y
""",
    ),
    (
        "first",
        """
do|fix|work_on|finish|start|tackle|handle X instead_of|rather_than|in_place_of Y
instead_of|rather_than Y do|fix|work_on|finish|start|tackle|get|let's|focus_on|go_for [do|fix|work_on|finish|
  start|tackle|get] X
X before|ahead_of|over|above|prior_to {else} [gets|is|starts|on|in|that|we|you|happens|else]
X [{must}] [now] is|are|'s|becomes|become|gets|get|has|have|takes|as|be|now|needs [{the}] [{the}] [{the}]
  top_priority|highest_priority|first_priority|number_one_priority|#1_priority|number_one|no_1|main_priority|
  new_priority|higher_priority|high_priority|only_priority|priority_number_one|top_concern|main_focus|
  priority_one|main_goal|p0|the_priority|priority|first_priority|immediate_priority|biggest_priority
X [{must}] takes|take|gets|get|has|have|had precedence|priority over Y
X [{must}] takes|take|gets|get|has|have precedence|priority
X is|are|'s|seems [far|much|way|really|now|a_lot] more|most urgent|important|critical|pressing than Y
X is|are|'s|seems [far|much|way|really|now|a_lot|what's|what_is|the|what] [more|most] [really] urgent|
  important|critical|pressing|on_fire|burning|matters|matters_most|what_matters|what_counts|what_matters_now|
  what_we_need|what_we_want|all_we_need
X matters [more|most] [now|right_now]
X is|are|'s [the] [very] first_thing|first_task|next_thing|only_thing [that] [i|we|you] want|need|do|tackle|
  to_do|on_the_list|should_do|must_do|care_about
top|first|main|only|highest|new|current|number_one|next [urgent] priority|focus|goal|objective|thing|concern
  [now] [is|:|-|=|should_be] [now|to|on|the] X
the|our|my priority|focus|goal|objective|task [now|right_now|for_today] is|:|should_be [now|to|on] X
priority|focus|goal|objective [now] is|:|= [now|to|on] X
prioritize*|prioritise* X over|above|before|ahead_of|instead_of|rather_than Y
prioritize*|prioritise* X
focus*|concentrate*|zero_in|double_down|all_in [only|just|solely|fully|entirely|purely|exclusively|all_effort|
  all_efforts|first|completely] on X instead_of|rather_than|over|before Y
focus*|concentrate*|zero_in|double_down|all_in|put_all_effort|spend_your_time|all_hands|everyone|everybody|
  full_focus|full_attention|eyes|put_everyone [only|just|solely|fully|entirely|purely|exclusively|all_effort|
  all_efforts|first|completely] on X
start|starting|begin|beginning|kick_off|lead|open [off|first] [with|by] X instead_of|rather_than|before|then|
  and_then Y
start|starting|begin|beginning|kick_off|lead_off [off|first] with|by|on X
move*|switch*|swap* from|off Y to|over_to|onto X
switch*|jump*|turn*|pivot*|shift*|change* [gears|focus|your_attention|your_focus|everything|everyone|
  our_focus|attention|over|straight|right|directly|back|priority] to|over_to|onto|on_to|into X
move*|go|going|get|getting|come [right|straight|directly|back|over] on_to|onto|to|over_to|back_to X $
put*|move*|bump*|bring*|push*|pull*|raise*|place*|elevate*|promote*|bubble*|get|make|rank*|schedule*|set|
  slot*|take*|have|give* X [up|right|straight|all_the_way] ahead_of|in_front_of|before|above Y
put*|move*|bump*|bring*|push*|pull*|raise*|place*|elevate*|promote*|bubble*|get|getting|make|rank*|schedule*|
  set|slot*|take*|have|give*|do|fix X [up|right|straight|all_the_way] {top}
move*|bump*|bring*|pull*|raise*|promote*|push* X up|forward|ahead
bump*|push*|bring* up|forward|ahead X
make|making|consider|treat X [the|our|a|your|as] [top|first|highest|number_one|#1|main|the_top|the_highest]
  priority
give|giving X [the|top|highest|higher|first|some|more|absolute] priority|precedence
pick*|take*|pull* up X [instead|now|next|first]
next [up|task|one|thing|step] [is|should_be|comes|we_do|on_the_list_is] :|-|is|, X
X [{must}] [comes|goes|come|go|is|be|get|gets|got|needs|are] [to] [be|get|come|go] [done|fixed|sorted|working|
  out|in|handled|finished|solved|resolved|tackled|shipped|ready] {top} $
X {must} [be|get|come|go] [done|fixed|sorted|working|out|handled|finished|solved|resolved|tackled|shipped|
  ready] {soon} $
X needs|need|is|are|gets [to] [be|get] done|fixed|sorted|working|handled|finished|solved|resolved|tackled|
  shipped|fixing|a_fix|attention|sorting {soon} $
X asap|immediately|right_away|urgently|straight_away|at_once|right_now $
fix|do|tackle|finish|handle|start|solve|resolve|investigate|work_on|look_at|look_into|get|address|deal_with X
  now|today|asap|immediately|right_away|right_now|next $
in_favor_of|in_favour_of X
""",
    ),
    (
        "first?",
        """
X second|third|fourth|fifth|2nd|3rd|4th [please|then] $
""",
    ),
    (
        "order",
        """
[do|finish|fix] X before|ahead_of|prior_to|and_then|then|followed_by [doing|the|starting|we|you] Y
""",
    ),
    (
        "after",
        """
[do|the] X only_after|after|behind Y
""",
    ),
    (
        "goal",
        """
[so|ok] [the|our] plan|plans|scope|goal|objective|goals|requirements [has|have] changed|changes|change|shifted
change of|in plan|plans|direction|scope|plan:
pivot|pivoting [to|:] X
new goal|objective|direction|plan|requirement|requirements|approach
[the|our] goal|objective|target|focus|aim isn't|is_not|is_no_longer|is|has_changed|changed X
split|break|divide [up] X [up] in|into|up Y
merge|combine X and|with Y into|in
[the|new] order|sequence|priorities|priority_order|plan [is|now] $
swap|reverse|change|flip|rearrange the|our order|priorities|sequence
different direction|approach|plan
""",
    ),
    (
        "task",
        """
[add|create|open|make|file|log|start|raise|put_in|set_up|track|we_need|i_need|need] [a|an|another|one_more|
  the|one] [new|separate|extra|additional|second|further|follow-up|different] {task} [on_the_board|
  in_the_list|to_the_list|to_the_board] to|for|about|:|-|on|that X
[there's|there_is|there_are|we_have|i_have|i_found|found|here's|check|fix|now_check] [the|a|some|yet|few|
  a_few] another|next|new|additional|extra|one_more|second|more issue|issues|problem|problems|thing|things|
  request|requirement|feature|bug|bugs|task|ask|item|topic|feedback|pr_comments|review_comments|comments|
  change [:|-|is|,|noticed|found] [X]
[put|add|get|include|queue|schedule|squeeze] X on_the_list|on_the_board|to_the_list|to_the_board|to_the_plan|
  in_the_plan|to_the_backlog|on_the_backlog|into_the_plan|to_the_queue|in_the_queue|to_the_scope|in_scope|
  in_there_too
""",
    ),
    (
        "add",
        """
add*|include|including|introduce*|throw_in|append|tack_on|write|writing|create*|implement*|build|building|
  develop*|draft*|document*|provide*|generate*|set_up|setting_up|put_together|produce*|prepare*|design*|
  scaffold*|open|file|port|extend|queue_up X
see|check|address*|handle*|go_through|look_at|review*|respond_to|reply_to|resolve*|fix* [the|all|those|these|
  about|at] X comments|comment|review|reviews|feedback|suggestions|minor_issues|major_issues|issues
investigate*|look_into|looking_into|dig_into|explore*|research*|benchmark*|profile*|review*|audit*|find_out|
  figure_out|diagnose*|analyze*|analyse*|study|track_down|chase*|assess* X
need|needs|want|require|would_like|wants a|an|another|new|more|also X
""",
    ),
    (
        "work",
        """
cover*|fix*|solve*|resolve*|repair*|debug*|tackle*|handle*|finish*|complete*|do|doing|get|getting|work|
  working|look|looking|check|address*|patch*|refactor*|rebuild|rebuilding|rewrite|rewriting|migrate*|upgrade*|
  clean|sort|deal|dealing|dig|attack|improve*|optimize*|optimise*|redesign*|test|testing|nail|land|take|go|
  make|run|ship|deploy*|support|stabilize*|unblock [on|at|out|into|up|with|care_of|for] X
""",
    ),
)


REST = (
    "everything else|all else|the rest|the others|others|anything else|all the others|all the rest"
    "|other tasks|the other tasks|all other tasks|the other ones|the remaining tasks|the other stuff"
    "|other stuff|other things|the other things|all others|the other two|the other three|remaining"
    "|any other work|other work|the remaining ones|all the other tasks|rest"
)
EVERYTHING = (
    "everything|all|all tasks|all the tasks|all of them|all of it|all of that|the whole thing|the lot"
    "|every task|all work|all the work|them all|the whole board|the whole plan|the entire plan|it all"
)
EXCEPT = "except for|except|but for|other than|apart from|besides|but|excluding|aside from|save for"
DONE_ALREADY = (
    "that's done|it's done|this is done|you're done|you are done|that is done|you're finished|done"
    "|you've finished|you finish|that"
)

LEAD = (
    "ok|okay|so|and|but|then|also|plus|please|pls|plz|just|actually|now|well|hmm|hm|um|oh|hey|hi|yes|yeah|yep"
    "|yup|sure|right|alright|great|good|nice|cool|fine|perfect|thanks|honestly|maybe|perhaps|instead|anyway"
    "|btw|by the way|simply|probably|sorry|guys|team|all|first|firstly|first of all|first up|first thing"
    "|secondly|next|next up|finally|lastly|meanwhile|afterwards|after that|in the meantime|from now on"
    "|for now|for today|for the moment|for the time being|right now|at this point|this week|today|tonight"
    "|tomorrow|on second thought|on second thoughts|quick change|update|scratch that|correction|additionally"
    "|besides|besides that|besides this|in addition|on top of that|while you're at it|while you are at it"
    "|while you're there|let's|lets|let us|go ahead and|i|we|you|you can|you should|you could|you may"
    "|you need to|you must|you have to|you might|you'd better|you had better|you can now|you can also"
    "|you should also|we'll|we will|we should|we can|we could|we must|we need to|we have to|we gotta"
    "|we want to|we might|we would like to|we'd like to|we'd better|we'd rather|we may as well"
    "|we might as well|we're going to|we are going to|we're gonna|we've decided to|we have decided to"
    "|we decided to|we're|we are|we've|we have|we should also|we also|we also need to|i want to|i want you to"
    "|i'd like to|i'd like you to|i would like to|i would like you to|i need you to|i need to|i'd rather"
    "|i'd rather you|i'd rather we|i suggest|i suggest we|i propose|i propose we|i prefer|i prefer to"
    "|i also want you to|i also want to|i'd say|i say|i think|i guess|i think we should|i think you should"
    "|i feel|i believe|i'm going to|i'll|i will|i've decided to|i decided to|i've decided|i would rather"
    "|i'd prefer to|can you|could you|would you|will you|can you please|could you please|would you please"
    "|can you also|could you also|can we|could we|can someone|could someone|would you mind|someone should"
    "|somebody should|it's time to|it's best to|it's better to|time to|feel free to|better|better to"
    "|make sure to|make sure you|be sure to|try to|remember to|we agreed to|we agreed|we all agreed to"
    "|the plan is to|the idea is to|my boss wants us to|my boss says|the boss says|boss says"
    "|the boss wants us to|management wants us to|the client wants us to|the customer wants us to"
    "|in that case|as for|regarding|about|on the|concerning|with regard to|only|really|definitely"
    "|going forward|from here on|one more thing|another thing|last thing|as discussed|as agreed"
    "|per the meeting|after all|in fact|turns out|to be clear|in short|again|once more|when you're done"
    "|when that's done|when it's done|once that's done|once you're done|after this|later|soon|afterward"
    "|what if|what if we|what if we just|how about|how about we|how about we just|should we|should we just"
    "|why don't we|why don't you|why not|shall we|it would be great if you could|it'd be great if you could"
    "|i was thinking|thinking about it|do me a favor and|would love it if you could|can you just|please just"
    "|please also|kindly|also please"
)
"""What may stand before a command without being part of it."""

TAIL = (
    "please|pls|plz|then|thanks|thx|thank you|ok|okay|though|for me|if you can|if possible|if you don't mind"
    "|if that's ok|if you have time|will you|right|guys|team|altogether|entirely|completely|anymore|any more"
    "|any longer|i think|actually|instead|too|as well|while you're at it|while you are at it"
    "|while you're there|thanks a lot|ok thanks|if you could|for now then|i guess|cheers|after all|again"
    "|from now on|from here on|going forward|this time|for a start"
)

ALSO = (
    "also|plus|besides|besides that|besides this|additionally|in addition|on top of that|while you're at it"
    "|while you are at it|one more thing|another thing|too|as well|please also|can you also|could you also"
    "|you can also|we also|we also need to|you should also|we should also|i also want you to|i also want to"
    "|when you're done|when that's done|when it's done|once that's done|once you're done|after that"
    "|afterwards|after this|also please|last thing|while you're there"
)
NEXT = "first|firstly|first of all|first up|first thing|next|next up|right now|instead"
THEN = "then|afterwards|after that|secondly|finally|lastly|after this|later"
"""Lead words that say how the command stands to the others."""

BARE = "it|this|that|them|those|these|that one|this one|the idea|the plan|the thing|that thing|the whole thing"
"""What points back to the thing last named."""

CODE = (
    "table|tables|column|columns|index|indexes|branch|commit|commits|package|param|params|parameter"
    "|parameters|field|fields|variable|variables|import|imports|line|lines|file|files|folder|folders"
    "|directory|process|container|connection|null|row|rows|key|keys|function|method|argument|arguments|prop"
    "|class|comma|quote|quotes|prefix|suffix|word|words|sentence|paragraph|section|console|whitespace|comment"
    "|comments|button|dependency|log|logs|print|typo|newline|string|strings|spaces|space|constant|property"
    "|default|seconds|logging|warning|warnings|flag|flags"
)
"""Things in the code: to drop or add one is a detail of the work, unless a task is named after it."""

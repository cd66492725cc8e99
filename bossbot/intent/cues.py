"""Words and phrases by which a message that leaves the plan alone is sorted, and how a clause's mood shows.

English templates stand at the start of a clause, Chinese ones anywhere in it; the word lists at the end cover
short messages that consist of nothing else.
"""

MACROS = {
    "who": "it|its|this|that|these|those|there|we|i|you|they|he|she|the|a|an|our|my|your|any|anyone|anything"
    "|someone|everything|all|both|each|people|users",
    "aux": "is|are|was|were|does|did|has|isn't|aren't|doesn't|didn't|wasn't|won't|wouldn't|shouldn't"
    "|couldn't|am|may|might|would|should|shall|will|could|can|can't|haven't|hasn't|weren't",
    "job": "run|tests|build|suite|checks|linter|script|server|app|agent|session|last|step|commit|changes|pr"
    "|branch|task|tasks|job|process|bot|workflow|pipeline|command|conversation|context",
}

LABELS_EN = (
    (
        "question",
        """
why|how|where|which did|have|has you|we X
did you consider|think|mean|want|notice|know|see|read|even|ever|not|understand X
have you|we considered|thought|seen|tried|ever|heard|any|a|to X
""",
    ),
    (
        "query",
        """
explain|describe|clarify|elaborate
tell|show|remind|help|walk me how|what|why|where|which|about|through|understand|whether|if|an|some
""",
    ),
    (
        "status",
        """
[so|and|but] status|eta|progress|recap|update_me|any_update|any_updates|any_news|any_luck|any_progress
what|what's is|are|the [the] [current] status|eta|progress|state|holdup|latest|situation
how far|long_until|long_till|much_longer|many_tasks|many_are_left|many_left|many_remain|much_is_left|much_more
how|how's [is|are] X going|doing|coming|looking|progressing [along|on|so_far] $
how|how's it|that|this|things going|coming|looking
how much|many X left|remaining|remain|done
what|what's left|remaining|happening|next|done [to_do|to]
what|what's are|is|have|has|did|were [you|we|it|the_agent] working_on|doing|done|changed|up_to|do|change|
  just_do|finish|fix|get_done|left|remaining|happening|next|going_on|been_done|completed
what remains|changed|changes_did|happened|is_left|was_done|step|have_you
which step|part|task are|is we|you|it [on|at|at_now] [now] $
are you|we done|finished|still|stuck|ready|there|working|close|good|finishing|on_it
are X green|passing|done|finished|ready|merged|fixed|up|running|through|complete [yet|now] $
is X done|finished|complete|completed|ready|stuck|fixed|deployed|merged|live|green|working|running|over|
  in_progress|passing|still_running|still_stuck|still_going|up_and_running [yet|now] $
is it|that|this still|already|all|done|ready|finished|working|stuck|running [X]
is|are that|this|there all|anything|any X left|remaining|pending|missing|outstanding
is that|this all $
did|has|have|is|are [X] yet $
when will|is|are|do|does X finish|done|ready|complete|finished|land|be|deployed|available
who|who's is|are|on|handling|working [on|working_on|handling] X
did you|we|it|that|they|everything X
did the|all|this X go_through|finish|pass|work|work_out|complete|succeed|land|deploy|merge|commit|push|run|
  start|build
have you|we|they X
have|has the|all|it|everything|this|that X finished|started|been|passed|landed|completed|done|merged|shipped
so have|did|are|is you|we|the|it X
where are|were|did we|you|it [leave|stop|get] [off|to]
show me [the] [task|current|open|remaining|whole|latest] task|tasks|todo|plan|board|list|progress|status|
  todos|backlog
give|send|write|post [me|us] [a|the|an] [quick|short|brief|little] [status] summary|overview|status|update|
  recap|rundown|report
summarize|summarise|recap|list [me|for_me] what|the [remaining|open|current|done] changes|work|progress|you|
  we|was|has|changed|tasks|todos|task
list the|all|remaining|open [remaining|open] tasks|todos|items
still there|running|working|stuck|going|on_it|alive
anything|something left|else_left|remaining
hello|hey|hi still|are|you|anyone there|you_there|still_there|alive
you|anyone still|there there|alive
hello|hey|anyone|anybody $
time left
did it|that work
""",
    ),
    (
        "correction",
        """
no|nope|well [but] i_meant|i_mean|that's_not|not_that|you're|the|it's|i|this|there
i meant|mean|was_talking_about|was_referring_to|was_asking|said
that's|this_is|it's not|wrong what|right|correct|it|true|how|the|one
that's|it's wrong|incorrect|not_it|backwards
not what|that|the i|one
you missed|forgot|said|misunderstood|broke|got_it_wrong|misread|ignored_my
you|you're are|looking|wrong|missing|confusing|misunderstanding|mistaken|confused
wrong file|one|branch|place|approach|folder|repo|line
""",
    ),
    (
        "control",
        """
run|rerun|re-run [the|all|all_the|your|our|a|unit|full|whole|npm|make|e2e] tests|test|test_suite|build|lint|
  linter|suite|checks|script|pytest|npm|make|cargo|it|pipeline|integration_tests|typecheck
commit|push|merge|rebase|deploy|revert|rollback|undo|redo|resume|unpause|restart|rerun|re-run|retry|abort|
  terminate|cherry-pick|squash|publish|proceed|stage|stash|reload|relaunch
roll back|it_back
stop|pause|halt|kill|cancel|hold|interrupt|start|continue|finish|quit|end [the|this|that|all|my|your] {job}
stop|pause|halt|abort $
stop|pause|hold_on|wait|hang_on|continue|carry_on|keep_going|go_on|start [here|there|now|it|again|everything|
  all|over] $
continue|proceed|carry_on|go_on with|from|where|please|to|on
try again|once_more|that_again|it_again
do it|that|this again|once_more
let it run|finish|continue|go
take over
start over|again|from_scratch
open|create|make|raise|file [a|the] pr|pull_request|mr|merge_request
clear|reset|compact|close|exit|quit [the|this|your|my] [whole] session|context|conversation|chat|history|
  terminal
""",
    ),
    (
        "approval",
        """
approve|approved|approving|lgtm|accept|accepted|reject|rejected|deny|denied|allowed|granted|permission_granted
go ahead|for_it|with_that|with_it|with_option|with_the
let's|lets go|proceed|do with|ahead|it|that|this|both|all
go with your|option|the|plan|that|a|b|c|number|#
i approve|agree|accept|reject|disagree|like_it|concur
i'm|i_am fine|ok|okay|good|happy with
option|choice|number a|b|c|d|1|2|3|4|one|two|three
use|pick|choose|take|prefer option|number|the_first|the_second|the_third|the_last|#
[the] first|second|third|last|former|latter one|option|approach $
skip #|number|1|2|3|4|5|6|7|8|9
do all|both|option|options|items|number|#|1|2|3|4|5
all of them|the_above
only|just|just_do #|option|number|1|2|3|4|5
yes|yep|yeah|yup|sure please|do|go|i|we|that|it|let's|make|you|for|and|the|remove|add|update|fix|use|to|all|
  both|,
implement|apply|execute|follow|start [the|this|that|your|all|it] plan|suggestion|suggestions|recommendation|
  recommendations|option|proposal|them|it|that|those|patch|your_suggestion|all_of_them
proceed with|as|please|to
do that|it|this [please|now|for|then|too] $
looks|sounds|seems good|great|fine|right|ok|perfect|reasonable
works for_me
no|nope|don't reject|do_that|not_allowed|do_it|don't_do|i_don't_approve
""",
    ),
    (
        "constraint",
        """
[please|and|but|also|just|so|ok|or] don't|do_not|never|avoid|only|use|keep|make_sure|ensure|prefer|limit|
  follow|stick_to|name|call|rename|put|place|no|not
make|write|set|change|update|move it|them|the|this|that|sure|all|each|every|from|to
replace|remove|delete|without|preserve|maintain|convert|hide|ignore|respect|remember|instead|rather|apply|
  default|return|show|leave|stop|align
let's|lets use|keep|make|stick|not|call|just|limit|avoid|name|put|have|remove|change|also
for|in the|each|every|all|this X
ask|check|confirm me|with_me
wait for
be careful|sure|concise|brief|consistent|explicit|more|less
try to|using|not
you can stop|drop|skip|omit|leave|remove|use
[i|we|you] want|need|prefer|would_like|expect|don't_want it|them|this|that|the|to|a
[i|we|you] should|must|need_to|have_to|shouldn't|mustn't|can|may|only
add|adjust|allow|append|bring|center|clean|combine|compare|configure|consolidate|copy|create|cut|decrease|
  disable|display|do|enable|extend|extract|fix|format|generate|get|give|go|handle|hardcode|have|implement|
  import|improve|include|increase|initialize|inline|insert|integrate|link|load|lower|merge|migrate|open|
  optimize|order|organize|pass|pick|polish|print|raise|read|reduce|refactor|register|render|reorder|reset|
  resize|restore|reuse|rewrite|round|save|separate|simplify|skip|sort|split|store|strip|style|support|switch|
  take|test|tidy|tighten|treat|trim|turn|upgrade|validate|verify|wrap|look|see|think|consider|investigate|
  find|double
""",
    ),
)

LIMITS = (
    "must|mustn't|must be|should be|should not|shouldn't|should have|should only|should also|should always"
    "|should never|should use|should return|should support|should work|should show|should match|should stay"
    "|should go|should contain|should include|should look|should follow|should live|should remain"
    "|should happen|should just|should still|should accept|should handle|should display|has to be|has to stay"
    "|have to be|have to stay|needs to be|need to be|needs to stay|needs to support|needs to have"
    "|needs to match|needs to include|needs to return|at most|at least|no more than|no less than|instead of"
    "|rather than|backwards compatible|backward compatible|without changing|without breaking|without touching"
    "|without using|without adding|without any|as long as|make sure|ensure|only if|only when|only for"
    "|only the|only in|only use|only change|only show|no new dependencies|no dependencies|be more|be less"
    "|behind a feature flag|behind a flag|by default|stay under|stay below|stay within|in english|in chinese"
    "|please don't|please do not|please use|please keep|please make|please be|please follow|please avoid"
    "|please only|please ensure|we want|we need|we should|we don't want|we shouldn't|we must|you should"
    "|you must|you need to|you can use|you don't need|you shouldn't|you have to|you can't|consistent with"
    "|in line with|according to|match the|matches the|the same as|the same way|the same style|similar to"
    "|i'd like|i'd prefer|i prefer|i want it|i want the|i want them|i don't want|want it to|want this to"
    "|can stay|can be"
)
"""English phrases of a limit, anywhere in a clause."""

LABELS_ZH = (
    (
        "status",
        """
进度|做到哪|到哪一步|哪一步了|到哪了|到哪儿了|卡住了|还剩|剩几|在忙什么|在做什么|在干什么|在干嘛|在做啥|
  干到哪|卡在哪|还卡着|没动静|总结一下|汇报|任务列表|什么情况了|怎么样了|咋样了|在吗|发我看看|几个任务|
  当前状态|有进展|有结果|有消息|有眉目|到底开始|还要多久|多久能|什么时候能|几点能|改到哪|写到哪|进展
做|改|完成|提交|更新|动|写|弄|搞 了|过 什么|啥|哪些|多少
做完|完成|修好|弄好|搞定|结束|跑完|上线|合并|部署|提交|通过|成功|开始|测完|写完|改完|做好|过|修完|更新|发布|
  推送|处理完|解决|部署好|跑通|开始做 [了|好了] 吗|没|么|没有
谁 在 跟|做|弄|看|负责|处理|查|搞
还 在 跑|吗|做|弄|进行
状态 如何|怎么样|是什么|呢
好 了 吗|没|么 $
""",
    ),
    (
        "correction",
        """
不对|我说的是|我指的是|我的意思|你看错|你搞错|你弄错|你理解错|你说|你漏|你忘|反了|错了|坏了|挂了|白了|崩了|
  没反应|没有反应|不生效|没生效|没变化
不是 这个|那个|这样|我
""",
    ),
    (
        "control",
        """
再 跑|试|运行|执行|编译|构建 [一] 遍|次|下
提交|推送|合并|回滚|重启|重跑|恢复|停掉|部署|发布|重试|中止|终止|回退|撤销|重新跑|重新运行|重新部署|停止|暂停
  [并|然后] 推送|代码|任务|上次|上一|一下|吧|了|构建|测试|分支|到|所有|全部|服务|它|这个|那个|刚才
把 X 停|暂停|恢复|重启|重跑|继续|提交|推送|合并|回滚|终止|停掉 [一下|了|掉|吧|上去] $
继续|接着|往下 干|做|跑|来|执行|走|吧|推进|任务
""",
    ),
    (
        "approval",
        """
同意|批准|驳回|不同意|照你说的|就按|选方案|准许|否决|按你的|没意见
按 方案|计划|第|选项
选 第|方案|a|b|c|1|2|3
""",
    ),
    (
        "constraint",
        """
必须|不要|不能|不许|不准|不得|禁止|务必|保持|兼容|不超过|至少|最多|以内|控制在|遵循|按照|统一|尽量|注意|避免|
  限制|默认|命名|叫做|写成|沿用|参考|仅|确保|保证|无需|不需要|不必|不用|最小改动|精确到|保留|格式|改成|换成|
  改为|换为|一定要|别|之前先|名字|超时时间|收集|一律
只 改|用|做|能|要|在|保留|动|碰|看|显示|允许|读|支持|需要|针对
用 现有|中文|英文|原来|同样|统一|这个|默认|已有
要 兼容|支持|保持|用|有|能|符合|和|跟|加|按|带|做到|遵守|统一|注意|求
先 出|给|列|让|问|写方案|确认|看
应该 用|放|是|要|按|保持
放 右|左|上|下|中间|顶|底|在右|在左|在上|在下
修复|修改|更新|调整|优化|删除|增加|添加|加上|去掉|实现|改一下|加个|把|将|帮我|给我|请
""",
    ),
)

CHAT = (
    "thanks|thank you|thx|ty|cheers|much appreciated|a lot|so much|very much|again|for everything"
    "|for the help|for your help|for that|everyone|all|good morning|good night|good evening|good afternoon"
    "|good job|good work|hi|hello|hey|yo|bye|goodbye|see you|see ya|tomorrow|later|haha|hahaha|ha|lol|lmao"
    "|rofl|nice|nice one|nice work|nice job|wow|great|great work|great job|great stuff|awesome|amazing|cool"
    "|ok|okay|well done|brilliant|love it|impressive|you're the best|you are the best|you're awesome|you rock"
    "|you're welcome|no worries|don't worry about it|no problem|np|sorry|oops|wrong channel|wrong chat"
    "|wrong window|have a good|have a great|have a nice|weekend|day|one|evening|night|what a|week|mess"
    "|that was fast|that was quick|that was great|i'm grabbing|lunch|i'm going|i'm off|i'm heading|i'm back"
    "|brb|back in|back|in an hour|an hour|a bit|5 minutes|10 minutes|in|couldn't have done it without you"
    "|team|guys|bot|got it|noted|understood|i see|interesting|hmm|hm|nvm|congrats|congratulations"
    "|happy friday|happy birthday|happy new year|yay|woo|coffee|to|for|home|out|dinner|folks|there|man|buddy"
    "|mate|friend|a|so|that|is|was|fun|funny|fast|good|fantastic|excellent|谢谢|谢|多谢|感谢|辛苦了|辛苦"
    "|辛苦啦|早上好|早安|早|晚安|晚上好|下午好|中午好|你好|您好|嗨|哈|嘻|呵|太棒了|太好了|太强了|太赞了"
    "|太牛了|牛|牛逼|厉害|赞|棒|干得漂亮|干得好|漂亮|多亏有你|多亏了你|多亏你|周末愉快|周末快乐|节日快乐"
    "|新年快乐|再见|拜拜|回见|收到|知道了|明白|明白了|了解|懂了|好嘞|嗯|哦|噢|没事|不着急|不急|不客气"
    "|不好意思|抱歉|发错群|发错群了|发错了|我先去吃饭|吃饭|一会儿回来|一会回来|我去开会|开会|休息|下班|大家好"
    "|各位好|加油|真不错|爱了|你|们|大家|各位|啦|了|啊|呀|群|我|先|去|等会儿|马上|回来|的|是|真|很|好"
)
CHAT_CORE = (
    "thanks|thank|thx|ty|cheers|appreciated|morning|night|evening|afternoon|good|hi|hello|hey|yo|bye|goodbye"
    "|see|haha|hahaha|lol|lmao|rofl|nice|wow|great|awesome|amazing|cool|ok|okay|done|brilliant|love"
    "|impressive|best|welcome|worries|worry|problem|np|sorry|oops|wrong|weekend|day|lunch|brb|back|without"
    "|team|got|noted|understood|interesting|hmm|hm|nvm|congrats|congratulations|happy|yay|woo|rock|off"
    "|fantastic|excellent|fun|funny|谢|感|辛|早|晚|您|嗨|哈|嘻|呵|棒|强|赞|牛|厉|漂|亏|末|快|再|拜|见|收|知"
    "|明|懂|嘞|嗯|哦|噢|没|急|客|抱|意|错|吃|班|油|爱|你|好|会|休"
)
YES_NO = (
    "ok|okay|yes|yeah|yep|yup|ya|sure|great|good|perfect|nice|cool|fine|alright|right|awesome|excellent"
    "|absolutely|definitely|certainly|of course|lgtm|y|k|please|correct|exactly|agreed|agree|approve|approved"
    "|accept|accepted|confirm|confirmed|allow|allowed|granted|go|sounds good|sounds great|sounds fine"
    "|sounds right|sounds like a plan|looks good|looks great|looks fine|looks right|to me|that's good"
    "|that's fine|that's great|that's ok|that's right|that's correct|it's good|it's fine|this is good"
    "|this is fine|all good|works for me|that works|it works for me|for me|do it|do that|do so|do this"
    "|go ahead|go for it|go with it|go with that|go with this|make it so|ship it|please do|let's do it"
    "|let's do that|let's do this|let's go|let's go for it|let's go with it|let's go with that|let's proceed"
    "|proceed|i'm fine with it|i'm fine with that|i'm fine with the plan|i'm ok with it|i'm ok with that"
    "|i'm happy with it|i'm happy with that|i'm good with that|i approve|i agree|i accept|i concur|i like it"
    "|i guess so|no objections|no objection|from my side|from me|don't see why not|i don't see why not"
    "|why not|by all means|be my guest|makes sense|fair enough|permission granted|green light|thumbs up|both"
    "|either|either is fine|neither|none|none of them|none of the above|all of them|all of the above|the"
    "|first|second|third|last|former|latter|one|option|a|b|c|d|1|2|3|4|5|you decide|you choose|your call"
    "|up to you|as you wish|as you like|as you suggest|as you suggested|whatever you think"
    "|whatever you prefer|no|nope|nah|n|reject|rejected|deny|denied|decline|declined|not allowed|not approved"
    "|not yet|not now|not ok|not okay|disagree|i disagree|don't do that|don't do it|no way|no thanks"
    "|let me think|let me think about it|i need to think|about it|absolutely not|too risky|veto|thanks"
    "|thank you|then|for now|that|and|now|👍|👌|✅|🙆|🆗|❌|👎|💯|好|好的|可以|可以的|行|嗯|对|是|是的|没问题"
    "|同意|批准|通过|允许|准了|准|确认|赞成|支持|接受|认可|没意见|我这边|我|就这样|那就这样|就这么办|就这么定"
    "|就这么做|就这么干|就按这个来|就按你说的来|就按你说的办|上吧|执行吧|执行|做吧|干吧|来吧|可以上|批了"
    "|没毛病|挺好|不错|也不是不行|听你的|你定|你看着办|都行|随便|不|不行|不可以|先不要|不要|不同意|拒绝|驳回"
    "|否决|不批|不准|不允许|风险太大|太危险|太危险了|先等等|我再想想|让我想想|再考虑|再考虑一下|暂不同意"
    "|不通过|打回|看起来不错|看起来可以|看起来没问题|按你说的来|按你说的办|可行|妥|中|按|选|就选|就|方案|第"
    "|个|一|二|三|四|两|来|吧|了|的|那|计划|选项|就按|办|定|上"
)
NO_ANSWER = (
    "please|to me|for me|from me|from my side|the|one|a|thanks|thank you|then|for now|that|and|now|go"
    "|about it|我|我这边|就|个|一|二|三|四|两|来|吧|了|的|那|计划|定|上"
)
"""What a yes or no may hold besides; alone it answers nothing."""
RUN = (
    "stop|pause|halt|abort|cancel|quit|exit|resume|continue|proceed|carry on|keep going|go on|wait|hold on"
    "|hold up|hold it|hang on|retry|try again|redo|restart|rerun|re-run|reload|undo|revert|roll back|rollback"
    "|commit|push|merge|rebase|deploy|release|clear|reset|stash|pull|go|start|begin|run|unpause|kill"
    "|terminate|interrupt|freeze|compact|save|sync|publish|next|do it again|start over|take over|let it run"
    "|enough|that's enough|that's it|you can|please|just|now|ok|okay|let's|and|then|go ahead and|can you"
    "|could you|well|it|that|this|them|everything|all|again|up|down|here|there|on|a sec|a second|a moment"
    "|a minute|a bit|one sec|one second|one moment|for today|for now|going|working|immediately|right now|the"
    "|agent|session|server|task|job|build|process|app|last|step|one|change|changes|test|tests|pr|branch|bot"
    "|workflow|pipeline|script|command|conversation|context|dev server|rest|from here|from there"
    "|where you left off|with it|with that|with the|plan|work|my|code|your|to|main|master|dev|origin|remote"
    "|staging|prod|production|github|once more|one more time|another try|thanks|pls|those|these|so|keep"
    "|running|suite|linter|checks|lint|unit|integration|full|先|都|全部|全|请|马上|立刻|你|就|那就|停|停下"
    "|停下来|停掉|停一下|停止|暂停|中止|终止|取消|继续|恢复|重试|重启|重跑|重来|再试|再跑|再来|再运行|再执行"
    "|再编译|再构建|一次|一遍|一下|回滚|撤销|提交|推送|合并|部署|发布|开始|接着|重新|来|跑|运行|执行|清空"
    "|重置|退出|等等|等一下|等会儿|等会|稍等|慢着|且慢|打住|别动|回退|还原|拉取|推|合|保存|编译|构建|吧|了|掉"
    "|它|刚才那个|刚才的|刚才|那个|这个|所有|任务|会话|上下文|上一次|上次|上一步|步骤|的|并|然后|代码|分支"
    "|测试|下去|干|做|和|到|主干|服务|进程|今天先到这|今天先到这里|好了|下一个|下一步|收工|往下走|着|其他"
    "|别停|其他的别停|等|号|一|二|三|四|五|1|2|3|4|5|6|7|8|9|把|个|第|啊"
)
RUN_CORE = (
    "stop|pause|halt|abort|cancel|quit|exit|resume|continue|proceed|carry|keep|go|wait|hold|hang|retry|try"
    "|redo|restart|rerun|re-run|reload|undo|revert|roll|rollback|commit|push|merge|rebase|deploy|release"
    "|clear|reset|stash|pull|start|begin|run|unpause|kill|terminate|interrupt|freeze|compact|save|sync"
    "|publish|next|enough|停|暂|中|终|取|继|恢|重|再|回|撤|提|推|合|部|发|开|接|跑|运|执|清|退|等|稍|慢|且|打"
    "|还|拉|保|编|构|收|往|下|别|到"
)
MANNER = (
    "ok|okay|great|good|nice|cool|fine|sure|no|nope|nah|well|perfect|right|alright|awesome|excellent"
    "|looks good|sounds good|well done|good job|great job|the first one|the second one|the third one|now|yes"
    "|嗯|好|好的|行|可以|不错|对|是|是的|厉害了|厉害|第一个|第二个|第三个|不|不行|不对"
)
"""A yes, a no or praise that may merely open a message."""
THANKS = "thanks|thank|thx|ty|谢|辛"
NOTED = "ok|okay|cool|nice|great|got it|noted|收到|知道了|明白|嗯"
"""A nod: with nothing pending it approves nothing."""
UNSURE = "i guess so|let me think|not yet|i need to think|不是不行|先等等|再想想|想想|再考虑"
"""An answer that is neither yes nor no."""

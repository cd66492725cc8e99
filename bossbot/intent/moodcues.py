"""Phrases that show how a clause is meant: asked, asked of somebody, under a condition, told of others."""

MACROS = {
    "aux": "is|are|was|were|does|did|has|isn't|aren't|doesn't|didn't|wasn't|won't|wouldn't|shouldn't"
    "|couldn't|am|may|might|would|should|shall|will|could|can|can't|haven't|hasn't|weren't",
    "who": "customer|customers|client|clients|user|users|log|logs|error|errors|message|doc|docs"
    "|documentation|readme|comment|comments|linter|compiler|bot|ticket|email|output|console|server|screen"
    "|page|button|label|dialog|prompt|response|stacktrace|sentry|warning|ui|it|they|he|she|agent|toast"
    "|banner|website|link|menu|report|feedback|review|api|test|someone_else",
    "says": "says|saying|said|wrote|writes|reads|shows|showed|prints|printed|complains|complained|told|tells"
    "|returns|throws|asked|asks|clicks|clicked|reported|displays|called|labelled|labeled|named|typed|types"
    "|sees|write|say|complain|click|mentions|mentioned",
    "zwho": "用户|客户|顾客|对方|客服|运营|有人|网友|他|她|日志|报错|评论|反馈|页面|弹窗|提示|按钮|系统"
    "|控制台|错误信息|工单|邮件里|消息|描述|注释|标题|文档里|需求里|机器人",
    "zsays": "说|显示|提示|打印|返回|里写|写的是|写着|写道|弹出|点了|点击|里面是|有一句|里有|抱怨|反映|回复|要求",
}

EN = (
    (
        "tell",
        """
explain|describe|clarify|elaborate|confirm|remember|share
tell|show|remind|help|walk|point me
say what|why|how
give me a|an|the [quick|short|brief] summary|overview|status|idea|update|example|explanation
list|summarize|summarise X
see|check|verify if|whether|what|why|how
do that $
""",
    ),
    (
        "if",
        """
if|unless|in_case|as_soon_as|whenever|until|provided|assuming|otherwise|or_else|failing_that|only_if|
  in_the_event|should_it|once|only_when|even_if
should the|ci|tests|it X fail|break
when X fail|fails|failed|break|breaks|pass|passes|green|red|down|slow|crash|crashes|is|are|does|goes|gets|
  turns|takes|exceeds
when it|they|the|ci|tests X
""",
    ),
    (
        "asks",
        """
what|what's|whats|why|how|how's|which|who|who's|whose|where|where's|wondering|i_wonder|curious|thoughts|really
when will|is|are|do|does|did|can|should|was|would
any idea|ideas|thoughts|chance|reason|opinion|opinions
i'm wondering|curious|not_sure if|whether|why|what|how
do|have|had you|we|they|i|these|those|any|people
do the|that|this X work|need|have|exist|support|use|handle|make|look|mean
{aux} X
""",
    ),
    (
        "told",
        """
[the|our|my|a|one|that|some] {who} [just|also|now|still|only|even|keeps|literally|clearly|then|simply|has|had]
  {says}
X {who} [just|also|now|still|only|even|keeps|literally|has|had] {says}
i was_told|got_told
""",
    ),
)

ZH = (
    (
        "plain",
        """
没 什么|谁|多少
都|也|还|并|仍|毫 没有|没 $
怎么|什么|谁|啥|如何 都|也
看看|看一下|看下|查|查清|搞清|弄清|确认|找出|调查|分析|研究|定位|想想|记录|写清|说清|修|解决|排查 [一下|下|
  清楚] X 什么|怎么|为啥|为什么|谁|哪|多少|如何|是否|是不是|有没有
""",
    ),
    (
        "tell",
        """
请问|告诉我|讲讲|讲一下|说说|说一下|说明一下|解释|介绍|列一下|总结|汇报
""",
    ),
    (
        "request",
        """
能不能|可不可以|可否|能否|麻烦|劳驾|拜托|帮我|帮忙
请 先|把|将|帮|不要|别|暂停|取消|优先|修|加|改|给|停|继续
能|可以 先|帮|把|顺便|不能 X 吗
""",
    ),
    (
        "wish",
        """
能|可以|能否 先|帮|把|顺便|不能
""",
    ),
    (
        "if",
        """
如果|要是|假如|假设|若是|万一|一旦|的话|除非|倘若|否则|不然|若
只要 X 就
等到 X 再|才
""",
    ),
    (
        "asks",
        """
什么|怎么|为什么|为啥|咋|哪里|哪儿|哪个|哪些|哪一|哪种|谁|几个|几点|多少|多久|多大|多快|要不要|是不是|是否|
  有没有|有无|会不会|该不该|应不应该|应该不应该|需不需要|行不行|好不好|值不值|能不能|可不可以|可否|能否|难道|
  何时|如何|啥|还是可以|做没做|可行性|怎么样|合适吗
吗|么|呢|没有|嘛|好了没 $
""",
    ),
    (
        "bidden",
        """
不要|别|不能|必须|不许|不用|禁止|不得
""",
    ),
    (
        "told",
        """
超过|达到|不足|少于|大于|小于 X 就|则
{zwho} 要求我们|让我们|要我们
{zwho} {zsays}
{zwho} X {zsays}
机器人|系统|程序|脚本|它|服务|接口 X 把 X 给|了
机器人|系统|程序|脚本|它|服务 会|自动 [把|自动]
""",
    ),
)

CAN_WE = "can we|could we|shall we"
REQUESTS = (
    "can you|could you|would you|will you|can you please|could you please|would you please|can you also"
    "|could you also|can you just|can someone|could someone|would you mind|please|pls|plz|please also"
    "|please just|kindly|do me a favor and|i'd like you to|i would like you to"
)
"""Fillers that make an order of a question."""

MARKS = (
    "first|also|instead|please|next|right away|asap|before anything else|before everything else|now|先|顺便|优先|另外"
)
"""What makes "can we" a wish rather than a question."""

TAGS = (
    "ok|okay|k|alright|yes|yeah|good|fine|cool|deal|please|sound good|sounds good|is that ok|is that okay"
    "|is that fine|is that alright|is that good|is that possible|does that work|does that make sense"
    "|does that sound good|make sense|makes sense|can you|could you|will you|would you|thoughts|agreed|got it"
    "|clear|eh|huh|yea|that ok|you ok with that|got that|understood|好吗|行吗|可以吗|好不好|行不行|可以不"
    "|怎么样|如何|行么|好么|成吗|没问题吧|你看行吗|你觉得呢|ok吗|可行吗|好吧|明白吗|懂吗|what do you think"
    "|你看呢|怎样"
)
"""A question that only asks for consent to what was said before it."""
TAG_ENDS = "好吗|行吗|好不好|行不行|好么|行么|成吗|ok吗|可以不"

ENDS = (
    "drop|cancel|pause|skip|stop|remove|postpone|delete|kill|scrap|abandon|hold|shelve|forget|leave|ditch|cut"
    "|defer|delay|use|get|have|be|trust|rely|expect|assume|know|even|just|still|really|go|run|see|do|put|park"
)
"""After "can we" these ask rather than wish."""
CHECKS = "right|correct|no|yes|isn't it|对吧|是吧|对不对|是不是"
"""A question whether what was said is so."""
IF_INSIDE = (
    "if|unless|in case|provided|provided that|as long as|assuming|only when|only if|as soon as|once the"
    "|once it|once we|once they|once ci|once that|when the|when it|when ci"
)
WHAT_IF = (
    "what if|what would|what happens|what happen|how about|how would|would it|would that|would we|suppose"
    "|会怎么样|会怎样|会如何|怎么办|会不会|行不行|可以吗|好吗|怎么样"
)
AFFIRMS = (
    "yes|yeah|yep|yup|ok|okay|sure|right|actually|hm|hmm|alright|exactly|good|great|fine|well|let's|lets"
    "|please|just|we should|i think we should|you should|do that|do it|do this|go for it|go with that"
    "|go ahead|that's what i want|make it so|sounds good|i think|definitely|absolutely|嗯|对|好|行|可以|那|就"
    "|就这么办|就这么干|就这样|这么办|就这么定|按这个来|就按这个|好的|就这样吧|就这样做|这么做|照这个做"
    "|就它了|吧|了|的|来|做"
)
"""Words of which a bare yes is made."""

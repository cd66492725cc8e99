"""Words that carry no topic, and the characters in which traditional Chinese differs: data only."""

_STOP_EN = """
a an the this that these those it its them they he she we us our i me my mine you your yours one ones some
any all both each every other others another else rest everything anything something nothing thing things
stuff and or but nor so then than if when while once until till unless because since as at by for from in
into of off on onto out over up down to with without within about around after before between under again
back away be is are was were been being am do does did done doing have has had having can could may might
must shall should will would ought need needs needed want wants wanted like let lets let's get gets getting
got go goes going not no never don't dont doesn't didn't isn't aren't won't can't cannot shouldn't wouldn't
i'd i'll i'm we'll we're we'd it's that's there's you're please pls plz just actually really maybe perhaps
also too well instead rather only even still yet already now today tonight tomorrow later soon asap
immediately right first firstly second third next last finally top bottom front end head start begin begins
comes come came coming priority priorities prioritize prioritise prioritized prioritised urgent important
critical precedence focus concentrate highest higher high lowest lower low drop dropped dropping scrap
scrapped scrapping ditch ditched axe axed kill killed cancel cancelled canceled cancelling canceling abandon
abandoned abandoning forget forgetting skip skipped skipping ignore ignored leave leaving left park parked
parking pause paused pausing shelve shelved shelving postpone postponed postponing defer deferred hold
holding held suspend suspended freeze frozen delay delayed stop stopped stopping halt halted quit put
putting set aside wait waits waiting ice burner backburner table bother worry resume resumed resuming
continue continued keep keeping pick picking make making take taking bring bringing move moved moving bump
switch switched switching swap order list plan board queue's task tasks ticket tickets item items card cards
story work works working job's effort bit idea ideas way case sure ok okay yes yeah yep nope hey hi hello
thanks thank great good fine cool alright guys team everyone someone anyone think thinking thought feel
guess say said mind decided decide agreed plus besides additionally addition meanwhile anymore longer more
most much many lot little few what why how which who where whether whole entire entirely completely totally
altogether instead's time moment week sprint month day soon's quickly quick able possible worth burning
whatever tackle tackled tackling handle handled finish finished finishing complete sorted sort's attention
nail
there here i've we've you've they've straight directly
look looks looking looked quarter year years written wrote hold mind sure
though bother bothering roadmap folks hands let'd everybody
"""
STOP_EN = frozenset(_STOP_EN.split())

_STOP_ZH = """
的 了 吧 呢 吗 啊 呀 嘛 哈 哦 嗯 把 将 给 被 让 叫 请 麻烦 帮我 帮忙 帮 我们 咱们 咱 我 你 您 他 她 它 它们
大家 这个 那个 这些 那些 这块 那块 这边 那边 这 那 哪 个 些 块 边 件 条 项 份 一下 一个 一份 一些 一点 一会
一会儿 一件 下 点 先 首先 优先 最优先 优先级 最高 最先 再 然后 接着 接下来 之后 以后 以前 之前 前 后 最后
最前面 最前 前面 后面 往后 往前 提前 推后 推迟 延后 提到 放到 排到 移到 挪到 调到 马上 立刻 立即 赶紧 尽快
现在 目前 当前 今天 明天 暂时 暂且 暂 稍后 晚点 回头 改天 不 别 不要 不用 不必 不需要 无需 没必要 没有 没
不再 不管 别管 不做 别做 先不 先别 要 需要 应该 得 必须 可以 能 能不能 可不可以 可否 想 希望 觉得 认为 打算
决定 做 搞 弄 干 办 管 碰 动 处理掉 取消 取消掉 砍 砍掉 放弃 丢 丢掉 丢弃 去掉 拿掉 扔 扔掉 撤 撤掉 撤销
作废 废弃 终止 停 停止 停掉 停下 停下来 暂停 暂缓 搁置 搁 放 放下 放一放 放一边 缓 缓一缓 缓缓 等 等等 挂起
冻结 忽略 跳过 忘掉 忘了 算 算了 免 继续 恢复 保留 留 留着 照旧 照常 开始 着手 完成 搞定 弄好 做完 做好 好
掉 完 出来 起来 过来 过去 上 去 来 到 在 是 有 就 还 还是 也 都 又 才 只 只要 只有 仅 全部 全都 全 所有 其他
其它 其余 剩下 剩余 别的 任务 工作 事情 事儿 事 活儿 活 东西 那摊 方面 相关 有关 关于 对于 至于 和 与 跟
以及 或 或者 而 但 但是 不过 可是 所以 因为 如果 要是 假如 的话 顺便 顺带 顺手 另外 此外 同时 加 加上 补
补上 一起 重点 专注 专心 集中 聚焦 精力 全力 人手 资源 关键 当务之急 紧急 重要 更 最 很 太 比较 实在 其实
直接 改 改成 改为 改做 换 换成 转 转去 转到 转向 切换 切到 为主 为先 排 排进 插队 置顶 计划 安排 清单 看
看看 看下 看一下 查 从 向 对 里 中 第一 第一位 首位 头等 大事 时候 时间 再说 用 用不着 犯不着 甭 莫 勿 啦 咯
嘞 以 为 所 之 其 再去 先去 去做 来做 要做 该 该做 都先 就先 那就 那么 这样 人力 上面 头 排在 放在 摆 摆在
往 后排 靠 靠后 靠前 前边 后边 插 掉了
下个版本 这个版本 下一版 下个迭代 下周 下个月 下次 下一期 下一阶段 本周 这周 这个月 后天 过几天 明年 下季度
"""
STOP_ZH = frozenset(_STOP_ZH.split())

_TRADITIONAL = (
    "緩缓儲储錄录陸陆試试測测檔档說说書书務务資资庫库數数據据遷迁傳传導导進进匯汇鑑鉴認认證证權权許许"
    "隊队誌志報报郵邮發发佈布訊讯應应構构優优複复雜杂調调戶户帳账單单訂订價价購购車车產产圖图標标頁页"
    "側侧邊边欄栏彈弹視视頻频語语聲声壓压錯错誤误問问題题處处這这個个來来後后會会時时間间們们還还沒没"
    "開开關关閉闭東东嗎吗麼么為为過过對对業业動动無无與与將将讓让給给請请幫帮辦办幹干寫写讀读暫暂擱搁"
    "棄弃緊紧級级體体驗验網网絡络連连線线環环項项類类區区節节點点實实現现統统計计劃划設设碼码鑰钥術术"
    "樣样態态滾滚斷断檢检審审議议變变換换轉转達达運运遠远選选擇择屬属顯显種种總总結结從从麗丽門门雙双"
    "電电話话號号專专員员團团場场僅仅備备儘尽勞劳協协歷历參参負负載载衝冲決决況况減减淨净準准漸渐滿满"
    "濾滤監监盡尽積积終终組组細细絕绝編编縮缩職职聯联聽听腳脚華华萬万裝装裡里規规覺觉觀观詞词詢询該该"
    "詳详誰谁課课論论譯译貨货費费贊赞趕赶軟软輕轻輸输農农遲迟釋释鏈链鍵键長长陣阵階阶難难離离頂顶順顺"
    "須须預预領领頭头顆颗願愿飛飞驅驱擴扩錢钱"
)

TO_SIMPLIFIED = {ord(old): ord(new) for old, new in zip(_TRADITIONAL[::2], _TRADITIONAL[1::2], strict=True)}
"""Character for character, so that places in the text stay valid."""

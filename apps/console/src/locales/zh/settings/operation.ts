/** 运营设置里每一项的名称与说明。 */
export default {
  TopUpLink: { label: '充值链接', help: '出售兑换码的页面；钱包里的“获取兑换码”会打开它' },
  general_setting_docs_link: { label: '文档链接', help: '顶部导航里的文档入口，留空则不显示' },
  general_setting_default_language: {
    label: '默认语言',
    help: '请求未指明语言（没有 Accept-Language）时，错误提示和邮件使用的语言。自动：/v1 用英文，控制台接口用中文',
  },
  QuotaPerUnit: { label: '单位美元额度', help: '1 美元等于多少额度。修改后，所有余额和价格的美元金额都会随之改变' },
  RetryTimes: { label: '失败重试次数', help: '未开启自动重试时，换渠道再试的次数，0 表示不重试' },
  DisplayInCurrencyEnabled: { label: '以美元显示额度', help: '关闭后页面上直接显示额度数字' },
  DisplayTokenStatEnabled: {
    label: '按令牌查询余额',
    help: '账单查询接口返回令牌自己的额度，而不是用户的余额',
  },
  DefaultCollapseSidebar: { label: '默认收起侧边栏', help: '新访客首次打开控制台时侧边栏的状态' },
  DemoSiteEnabled: { label: '演示站点', help: '除超级管理员外，所有人只能看不能改' },
  SelfUseModeEnabled: { label: '自用模式', help: '只给自己用：关闭注册，没有设置价格的模型也可以使用' },

  QuotaForNewUser: { label: '新用户初始额度', help: '注册时赠送' },
  QuotaForInviter: { label: '邀请人奖励额度', help: '受邀者注册后赠送给邀请人' },
  QuotaForInvitee: { label: '受邀者奖励额度', help: '通过邀请注册时额外赠送' },
  PreConsumedQuota: { label: '预扣 token 数', help: '请求没有写明最大输出时，先按这么多 token 预留额度' },
  billing_max_output_tokens: { label: '最大输出', help: '任何请求的输出 token 都不能超过此值；0 表示不限制' },
  billing_assumed_output_tokens: {
    label: '默认预估输出',
    help: '请求没有输出上限且模型的最大输出未知时，按此 token 数预留额度',
  },
  billing_disconnect_read_seconds: {
    label: '断开后继续读取',
    help: '客户端断开后，为取得用量继续读取上游响应的最长时间；0 表示立即停止',
  },
  AffEnabled: { label: '启用邀请', help: '显示邀请链接，并发放邀请奖励' },

  RebateEnabled: { label: '启用返佣', help: '受邀者充值或兑换后，邀请人按比例获得额度' },
  RebatePercentage: { label: '返佣百分比', help: '0 到 100，最多两位小数' },

  CheckInEnabled: { label: '启用签到', help: '用户每天可以领取一次额度' },
  CheckInQuota: { label: '签到奖励额度', help: '固定奖励；设置了最大奖励时为最小值' },
  CheckInMaxQuota: { label: '签到最大奖励', help: '大于签到奖励时，在两者之间随机发放；0 表示不随机' },

  Chats: {
    label: '聊天链接',
    help: '按顺序排列的列表，每项一个名称和一个链接；{key} 与 {address} 会替换为令牌和服务器地址',
  },

  GroupRatio: { label: '分组倍率', help: '键就是站点有哪些分组，值是该分组价格的乘数' },
  UserUsableGroups: { label: '用户可选分组', help: '所有用户都可以选用的分组，值是展示给用户的说明' },
  AutoGroups: {
    label: '自动分组',
    help: '按顺序排列的列表。分组为 auto 的令牌依次使用其中用户可用、且提供所请求模型的第一个分组，并按该分组的倍率计费',
  },
  DefaultUseAutoGroup: { label: '新令牌默认使用 auto', help: '创建令牌时没有选择分组，则使用 auto 分组' },

  ModelRates: { label: '价目卡', help: '按模型设置每 100 万 token 的美元价格，可含阶梯和附加费用，优先于其他所有价格' },
  ModelPrice: { label: '模型固定价格', help: '每次调用多少美元；设置后该模型不再按 token 计费' },
  ModelRatio: { label: '模型倍率', help: '倍率 1 相当于每百万输入 token 2 美元' },
  CompletionRatio: { label: '模型补全倍率', help: '输出价格是输入价格的多少倍' },
  CacheRatio: { label: '缓存倍率', help: '命中缓存的输入价格是普通输入价格的多少倍' },

  fallback_pricing_enabled: {
    label: '启用兜底价格',
    help: '没有设置价格的模型按下面的价格计费。要在两种计费方式之间切换，请先关闭并保存',
  },
  fallback_single_price: { label: '兜底固定价格', help: '每次调用多少美元；与下面两个倍率二选一' },
  fallback_input_ratio: { label: '兜底输入倍率', help: '与兜底补全倍率一起填写' },
  fallback_completion_ratio: { label: '兜底补全倍率', help: '与兜底输入倍率一起填写' },
  redirect_billing_enabled: {
    label: '按请求的模型计费',
    help: '渠道把模型重定向到别的模型时，仍按用户请求的名称计费',
  },

  DrawingEnabled: { label: '启用绘图', help: '侧边栏显示绘图日志' },
  MjNotifyEnabled: { label: '允许上游回调', help: '会让上游知道本站服务器的地址；关闭时会去掉请求里的回调地址' },
  MjAccountFilterEnabled: { label: '允许指定账号筛选', help: '客户端可以传入账号筛选参数' },
  MjForwardUrlEnabled: { label: '图片地址改为本站', help: '上游图片地址替换为本站的转发地址' },
  MjModeClearEnabled: { label: '去除速度参数', help: '去掉提示词里的 --fast、--relax、--turbo' },
  MjActionCheckSuccessEnabled: { label: '后续操作需要图片完成', help: '放大、变换等操作要等图片生成成功' },
  TaskEnabled: { label: '启用异步任务', help: '侧边栏显示任务日志' },

  CheckSensitiveEnabled: { label: '启用屏蔽词', help: '关闭后下面的检查都不进行' },
  CheckSensitiveOnPromptEnabled: { label: '检查提示词', help: '含有屏蔽词的请求会被拒绝，不会发往上游' },
  SensitiveWords: { label: '屏蔽词', help: '每行一个，不区分大小写；以 regex: 开头的行是正则表达式' },
  StopOnSensitiveEnabled: { label: '输出遇到屏蔽词时停止', help: '为兼容而保留：目前不检查输出内容' },
  StreamCacheQueueLength: { label: '流式缓存队列长度', help: '为兼容而保留：目前不检查输出内容' },

  LogConsumeEnabled: { label: '记录消费日志', help: '关闭后不再写入调用明细；用量合计和扣费照常' },
  LogChatContentEnabled: { label: '记录对话内容', help: '日志里保存提示词和回答，用户会看到提示' },
  LogErrorEnabled: { label: '记录错误日志', help: '失败和被拒绝的请求也写入日志，被拒绝的保留 7 天' },
  LogRetentionDays: { label: '日志保留天数', help: '更早的日志会自动删除，用量合计不受影响；0 表示一直保留' },
  LogRetentionGigabytes: { label: '日志占用上限', help: '超过后从最早的一天开始删除；0 表示不限' },
  LogChatContentDays: { label: '对话内容保留天数', help: '可以比日志更短；0 表示与日志一样久' },

  DataExportEnabled: { label: '启用数据看板', help: '显示用量图表；关闭只是不显示，用量照常统计' },
  DataExportInterval: { label: '数据写入间隔', help: '为兼容而保留：用量随每次结算写入，无需等待' },
  DataExportDefaultTime: { label: '默认时间粒度', help: '打开看板时图表的步长' },

  ChannelDisableThreshold: {
    label: '最长响应时间',
    help: '开启自动禁用后，测试全部渠道时比这更慢的渠道会被禁用；0 表示不因慢而禁用',
  },
  QuotaRemindThreshold: { label: '余额提醒阈值', help: '用户没有自行设置时，余额低于它就提醒；0 表示不提醒' },
  AutomaticDisableChannelEnabled: { label: '失败时自动禁用渠道', help: '上游返回致命错误时禁用该渠道' },
  AutomaticEnableChannelEnabled: { label: '成功时自动启用渠道', help: '自动禁用的渠道测试成功后重新启用' },
  AutomaticDisableKeywords: {
    label: '自动禁用关键词',
    help: '每行一个，不区分大小写；上游错误中短时间内出现两次，或测试全部渠道时出现一次，就禁用该渠道',
  },

  ShadowEnabled: { label: '影子模式', help: '开启后，/shadow 下的请求副本会被判断并记录：不请求上游，不扣费' },
  ShadowShare: { label: '抽查比例', help: '收到的副本中有多少会被判断，其余直接丢弃' },
}

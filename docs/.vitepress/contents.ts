/** A page of the site in both languages; `path` is where its file is below `docs`, without `.md`. */
export interface Entry {
  readonly path: string
  readonly en: string
  readonly zh: string
}

export interface Section {
  readonly en: string
  readonly zh: string
  readonly entries: readonly Entry[]
}

const page = (path: string, en: string, zh: string): Entry => ({ path, en, zh })

/** The sidebar. Every page exists twice: at its path, and below `zh`. */
export const CONTENTS: readonly Section[] = [
  {
    en: 'Start',
    zh: '入门',
    entries: [
      page('quick-start', 'Quick start', '快速开始'),
      page('guides/clients', 'Connect your tools', '接入客户端'),
      page('compare', 'How we compare', '与同类产品对比'),
    ],
  },
  {
    en: 'Concepts',
    zh: '核心概念',
    entries: [
      page('concepts/call', 'The journey of a call', '一次调用的旅程'),
      page('concepts/credit', 'Balance, lease, journal, books', '余额、租约、流水与账本'),
      page('concepts/channels', 'Channels, groups, priorities', '渠道、分组与优先级'),
      page('concepts/processes', 'Roles of processes', '进程与角色'),
    ],
  },
  {
    en: 'Operate',
    zh: '运维',
    entries: [
      page('guides/operator', 'Operator guide', '运维指南'),
      page('guides/deploy', 'Deploy', '部署'),
      page('guides/move-in', 'Move in from elsewhere', '从其他产品迁入'),
      page('guides/shadow', 'Shadow mode', '影子模式'),
      page('guides/automate', 'Automate', '自动化'),
      page('guides/tools', 'Compatible tools', '兼容的工具'),
      page('operating', 'Commands and environment', '命令与环境变量'),
      page('configuration-as-code', 'Configuration as code', '配置即代码'),
      page('connect', 'Connect dialog and chat links', '接入面板与聊天链接'),
      page('logs', 'Logs, sums and figures', '日志与指标'),
    ],
  },
  {
    en: 'Money and limits',
    zh: '计费与限流',
    entries: [
      page('prices', 'Prices', '价格'),
      page('money', 'Money, proved', '账目证明'),
      page('limits', 'Limits', '限流'),
    ],
  },
  {
    en: 'Trust',
    zh: '可靠与安全',
    entries: [
      page('security', 'Security', '安全模型'),
      page('reliability', 'Failures, and what callers notice', '故障与影响'),
      page('benchmarks', 'What a call costs', '性能数据'),
      page('scale', 'How far it goes', '规模'),
    ],
  },
  {
    en: 'Reference',
    zh: '参考',
    entries: [
      page('endpoints', 'Calls of the data plane', '数据面接口'),
      page('protocols', 'Between protocols', '协议互转'),
      page('vendors', 'Vendors', '上游厂商'),
      page('reference/api', 'Control plane API', '管理接口'),
      page('reference/errors', 'Errors', '错误码'),
      page('reference/options', 'Options', '系统选项'),
      page('reference/deviations', 'Deviations from the specification', '与规格的差异'),
    ],
  },
  {
    en: 'The code',
    zh: '代码',
    entries: [
      page('project/architecture', 'Architecture', '架构'),
      page('reference/code-map', 'Map of the code', '代码地图'),
      page('project/contributing', 'Contributing', '参与开发'),
      page('guides/add-a-provider', 'Add a provider', '新增厂商'),
      page('guides/add-a-dialect', 'Add a dialect', '新增协议'),
      page('reference/decisions', 'Decisions', '设计决策'),
      page('project/changelog', 'Changelog', '更新日志'),
      page('project/security-policy', 'Report a weakness', '报告漏洞'),
    ],
  },
]

/** What stands at the top of every page. */
export const NAVIGATION: readonly Entry[] = [
  page('quick-start', 'Quick start', '快速开始'),
  page('guides/clients', 'Tools', '接入客户端'),
  page('guides/operator', 'Operate', '运维'),
  page('reference/api', 'API', '接口'),
]

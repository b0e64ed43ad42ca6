/** A page of the site in both languages. `path` is the path of its file below `docs`, without `.md`. */
export interface Entry {
  readonly path: string
  readonly en: string
  readonly zh: string
  /** Not in the sidebar. Other pages link to it. */
  readonly unlisted?: true
}

export interface Section {
  readonly en: string
  readonly zh: string
  readonly entries: readonly Entry[]
}

const page = (path: string, en: string, zh: string): Entry => ({ path, en, zh })

/** All pages, in the order of the sidebar. Every page exists twice: at its path, and below `zh`. */
export const CONTENTS: readonly Section[] = [
  {
    en: 'Get started',
    zh: '入门',
    entries: [
      page('get-started/quick-start', 'Quick start', '快速开始'),
      page('get-started/connect', 'Connect your client', '接入客户端'),
      page('get-started/code-samples', 'Code samples', '代码示例'),
      page('get-started/code-samples-tools', 'Samples: tool calls', '示例：工具调用'),
      page('get-started/code-samples-errors', 'Samples: errors and retries', '示例：错误与重试'),
      page('get-started/code-samples-media', 'Samples: embeddings and images', '示例：向量与图片'),
      page('get-started/import', 'Import from another product', '从其他产品迁入'),
      page('get-started/import-new-api', 'From new-api, one-api or Veloera', '从 new-api、one-api 或 Veloera 迁入'),
      page('get-started/import-litellm', 'From LiteLLM', '从 LiteLLM 迁入'),
      page('compare', 'Comparison', '产品对比'),
    ],
  },
  {
    en: 'Guides',
    zh: '指南',
    entries: [
      page('guides/operate', 'Operate', '日常运维'),
      page('guides/deploy', 'Deploy', '部署'),
      page('guides/scale', 'Scale', '扩容'),
      page('guides/clickhouse', 'When to add ClickHouse', '什么时候加 ClickHouse'),
      page('guides/back-up', 'Back up and restore', '备份与恢复'),
      page('guides/upgrade', 'Upgrade', '升级'),
      page('guides/monitor', 'Monitor', '监控'),
      page('guides/secure', 'Secure', '安全加固'),
      page('guides/sign-in', 'Sign-in services', '第三方登录'),
      page('guides/secrets', 'Rotate secrets', '轮换密钥'),
      page('guides/channels-and-failover', 'Channels and failover', '渠道与故障转移'),
      page('guides/price-models', 'Price models', '模型定价'),
      page('guides/payments', 'Payments', '支付'),
      page('guides/teams', 'Users, groups and teams', '用户、分组与团队'),
      page('guides/notifications', 'Notifications', '通知'),
      page('guides/chat-links', 'Chat links', '聊天链接'),
      page('guides/batches', 'Batches', '批处理'),
      page('guides/exports', 'Export requests', '导出请求'),
      page('guides/automate', 'Automate', '自动化'),
      page('guides/configuration-as-code', 'Configuration as code', '配置即代码'),
      page('guides/shadow-mode', 'Shadow mode', '影子模式'),
      page('guides/troubleshoot', 'Troubleshoot', '故障排查'),
    ],
  },
  {
    en: 'Concepts',
    zh: '概念',
    entries: [
      page('concepts/request-lifecycle', 'Request lifecycle', '请求的生命周期'),
      page('concepts/money', 'Money', '计费与账本'),
      page('concepts/channels-and-health', 'Channels and health', '渠道与健康状态'),
      page('concepts/rate-limits', 'Rate limits', '限流'),
      page('concepts/failures', 'Failures', '故障时的行为'),
      page('concepts/logs', 'Logs and metrics', '日志与指标'),
      page('concepts/processes', 'Processes', '进程'),
    ],
  },
  {
    en: 'Reference',
    zh: '参考',
    entries: [
      page('reference/endpoints', 'Gateway endpoints', '网关接口'),
      page('reference/protocols', 'Protocol conversion', '协议转换'),
      page('reference/client-conformance', 'Client conformance', '客户端兼容性'),
      page('reference/providers', 'Providers', '上游供应商'),
      page('reference/api', 'Management API', '管理接口'),
      page('reference/options', 'Options', '系统选项'),
      page('reference/environment', 'Environment variables', '环境变量'),
      page('reference/cli', 'Command line', '命令行'),
      page('reference/errors', 'Errors', '错误码'),
      page('reference/log-events', 'Log events', '日志事件'),
      page('reference/metrics', 'Metrics', '指标'),
      page('reference/policies', 'Security policies', '安全策略'),
      page('reference/threat-model', 'Threat model', '威胁模型'),
      page('reference/compatible-tools', 'Compatible tools', '兼容的工具'),
      page('reference/glossary', 'Glossary', '术语表'),
      page('reference/deviations', 'Deviations from the specification', '与规格的差异'),
    ],
  },
  {
    en: 'Project',
    zh: '项目',
    entries: [
      page('project/architecture', 'Architecture', '架构'),
      page('project/code-map', 'Code map', '代码地图'),
      page('project/decisions', 'Decisions', '设计决策'),
      page('project/contributing', 'Contributing', '参与开发'),
      page('project/add-a-provider', 'Add a provider', '新增供应商'),
      page('project/add-a-protocol', 'Add a protocol', '新增协议'),
      { ...page('project/reports', 'Reports', '测量与验证报告'), unlisted: true },
      page('project/changelog', 'Changelog', '更新日志'),
      page('project/security-policy', 'Report a vulnerability', '报告漏洞'),
    ],
  },
]

/** The top navigation. */
export const NAVIGATION: readonly Entry[] = [
  page('get-started/quick-start', 'Get started', '入门'),
  page('guides/operate', 'Guides', '指南'),
  page('concepts/request-lifecycle', 'Concepts', '概念'),
  page('reference/api', 'Reference', '参考'),
]

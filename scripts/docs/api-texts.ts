import { type Endpoint, FIELD_DESCRIPTIONS, type FieldDescriptions } from '@tidegate/contract'
import CHINESE_SUMMARIES from './endpoint-summaries.zh.json' with { type: 'json' }
import CHINESE_DESCRIPTIONS from './field-descriptions.zh.json' with { type: 'json' }

/** The texts of the API reference in one language. */
export interface ApiTexts {
  /** The folder of the pages, from the root of the repository. */
  readonly folder: string
  readonly overview: string
  readonly overviewColumns: readonly string[]
  readonly requestsAndResponses: string
  readonly areaIntroduction: string
  readonly parameterColumns: readonly string[]
  readonly bare: string
  readonly body: string
  readonly required: string
  readonly type: string
  readonly description: string
  readonly fieldDescriptions: FieldDescriptions
  readonly yes: string
  readonly alwaysPresent: string
  readonly bareResponse: string
  readonly data: string
  readonly noData: string
  readonly noFixedFields: string
  readonly colon: string
  /** Between two sentences. */
  readonly space: string
  readonly specificErrors: string
  summaryOf(endpoint: Endpoint): string
  conditionsOf(endpoint: Endpoint): string[]
}

type SettingsArea = NonNullable<Endpoint['settingsArea']>

const GENERATED = '`packages/contract/src/api/index.ts`'

export const ENGLISH: ApiTexts = {
  folder: 'docs/reference',
  overview: `# Management API

Endpoints of the control plane. The console uses them, and so can you: see [Automate](../guides/automate.md).

- Responses are wrapped as \`{ success, message, data }\` unless marked *bare*. An error has a \`code\` from [errors](errors.md).
- Paths work with and without a trailing slash.
- Access \`public\` needs no session. Access \`visitor\` uses a session if there is one. Other values name the lowest role.
- With a session, also send the \`Tidegate-User\` header with your user ID.
- A running server has the OpenAPI document at \`/api/openapi.json\`.

Generated from ${GENERATED} by \`npm run docs:write\`.`,
  overviewColumns: ['Endpoint', 'Access', 'What it does', 'Body', 'Specific errors'],
  requestsAndResponses: 'Requests and responses',
  areaIntroduction: `Requests and responses of each endpoint. [The overview](../api.md) explains headers, errors and access.

Generated from ${GENERATED} by \`npm run docs:write\`.`,
  parameterColumns: ['Parameter', 'In', 'Type', 'Required', 'Description'],
  bare: 'bare',
  body: 'Body',
  required: 'Required',
  type: 'Type',
  description: 'Description',
  fieldDescriptions: FIELD_DESCRIPTIONS,
  yes: 'yes',
  alwaysPresent: 'Always present',
  bareResponse: 'Response, bare',
  data: '`data` of the response',
  noData: 'The response has no `data`.',
  noFixedFields: ': an object without fixed fields.',
  colon: ': ',
  space: ' ',
  specificErrors: 'Specific errors: ',
  summaryOf: ({ summary }) => summary,
  conditionsOf({ access, proof, critical, sameOriginOnly, settingsArea }) {
    const areas: Readonly<Record<SettingsArea, string>> = {
      any: 'a granted settings area, for the options of that area',
      prices: 'the settings area `prices`',
      groups: 'the settings area `groups`',
      rate_limits: 'the settings area `rate_limits`',
      announcements: 'the settings area `announcements`',
    }
    return [
      `Access: \`${access}\`.`,
      ...(settingsArea === undefined ? [] : [`Also for administrators with ${areas[settingsArea]}.`]),
      ...(proof === undefined ? [] : ['Needs re-authentication within the last ten minutes.']),
      ...(proof === 'orToken' ? ['Access tokens do not need it.'] : []),
      ...(critical ? ['Counts against the rate limit for credentials and mail.'] : []),
      ...(sameOriginOnly ? ['Browsers may send it only from the same origin.'] : []),
    ]
  },
}

export const CHINESE: ApiTexts = {
  folder: 'docs/zh/reference',
  overview: `# 管理接口

控制面的全部接口。控制台用的就是它们，你也可以直接调用，见[自动化](../guides/automate.md)。

- 除标注*裸响应*的以外，响应都包在 \`{ success, message, data }\` 里。出错时带有[错误码](errors.md) \`code\`。
- 路径末尾有没有斜杠都可以。
- 权限 \`public\` 不需要登录；\`visitor\` 有会话就用会话；其余的值是所需的最低角色。
- 使用会话时，还要在请求头 \`Tidegate-User\` 中带上你的用户 ID。
- 运行中的服务在 \`/api/openapi.json\` 提供 OpenAPI 文档。

由 \`npm run docs:write\` 根据 ${GENERATED} 生成。`,
  overviewColumns: ['接口', '权限', '作用', '请求体', '特有错误'],
  requestsAndResponses: '请求与响应',
  areaIntroduction: `每个接口的请求与响应。请求头、错误和权限的说明见[概览](../api.md)。

由 \`npm run docs:write\` 根据 ${GENERATED} 生成。`,
  parameterColumns: ['参数', '位置', '类型', '必填', '说明'],
  bare: '裸响应',
  body: '请求体',
  required: '必填',
  type: '类型',
  description: '说明',
  fieldDescriptions: CHINESE_DESCRIPTIONS,
  yes: '是',
  alwaysPresent: '总是返回',
  bareResponse: '响应（裸响应）',
  data: '响应的 `data`',
  noData: '响应没有 `data`。',
  noFixedFields: '：没有固定字段的对象。',
  colon: '：',
  space: '',
  specificErrors: '特有错误：',
  summaryOf({ method, path }) {
    const summaries: Readonly<Record<string, string>> = CHINESE_SUMMARIES
    const summary = summaries[`${method} ${path}`]
    if (summary === undefined) throw new Error(`scripts/docs/endpoint-summaries.zh.json has no ${method} ${path}`)
    return summary
  },
  conditionsOf({ access, proof, critical, sameOriginOnly, settingsArea }) {
    const areas: Readonly<Record<SettingsArea, string>> = {
      any: '已授予的设置分区（限该分区的选项）',
      prices: '设置分区 `prices`',
      groups: '设置分区 `groups`',
      rate_limits: '设置分区 `rate_limits`',
      announcements: '设置分区 `announcements`',
    }
    return [
      `权限：\`${access}\`。`,
      ...(settingsArea === undefined ? [] : [`拥有${areas[settingsArea]}的管理员也可以调用。`]),
      ...(proof === undefined ? [] : ['需要最近十分钟内的二次验证。']),
      ...(proof === 'orToken' ? ['系统访问令牌不需要。'] : []),
      ...(critical ? ['计入凭据与邮件的限流。'] : []),
      ...(sameOriginOnly ? ['浏览器只能从同源页面调用。'] : []),
    ]
  },
}

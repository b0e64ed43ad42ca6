/** Requirements and defaults of a channel type. */
export interface ChannelType {
  readonly type: number
  readonly name: string
  /** Default base URL; blank if there is none. */
  readonly baseUrl: string
  readonly baseUrlRequired: boolean
  /** Example of a key. */
  readonly keyHint: string
  /** Pattern of keys, if the provider defines a format. */
  readonly keyPattern?: RegExp
  /** One key only: it is a document that may contain commas and line breaks. */
  readonly singleKey: boolean
  /** Meaning of the field `other`, if it is used. */
  readonly other?: OtherMeaning
  /** Default of `other`. */
  readonly otherDefault?: string
  /** Only for existing channels. */
  readonly legacy: boolean
  /** Can be chosen for a new channel. */
  readonly offered: boolean
}

export type OtherMeaning = 'api_version' | 'plugin' | 'spark_version' | 'library_id' | 'account_id' | 'region'

type ChannelTypeRow = Partial<ChannelType> & Pick<ChannelType, 'name'>

/** Every assigned type in the order of its number. */
export const CHANNEL_TYPE_LIST: readonly ChannelType[] = Object.entries({
  1: { name: 'OpenAI', baseUrl: 'https://api.openai.com', keyHint: 'sk-…' },
  2: { name: 'Midjourney Proxy', baseUrlRequired: true },
  3: { name: 'Azure OpenAI', baseUrlRequired: true, other: 'api_version' },
  4: { name: 'Ollama', baseUrl: 'http://localhost:11434' },
  5: { name: 'Midjourney Proxy Plus', baseUrlRequired: true },
  6: { name: 'OpenAI Max', baseUrl: 'https://api.openaimax.com', legacy: true },
  7: { name: 'OhMyGPT', baseUrl: 'https://api.ohmygpt.com', legacy: true },
  8: { name: 'Custom', baseUrlRequired: true },
  9: { name: 'Caipacity', baseUrl: 'https://api.caipacity.com', legacy: true },
  10: { name: 'AI Proxy', baseUrl: 'https://api.aiproxy.io', legacy: true },
  11: { name: 'Google PaLM', legacy: true },
  12: { name: 'API2GPT', baseUrl: 'https://api.api2gpt.com', legacy: true },
  13: { name: 'AIGC2D', baseUrl: 'https://api.aigc2d.com', legacy: true },
  14: { name: 'Anthropic', baseUrl: 'https://api.anthropic.com', keyHint: 'sk-ant-…' },
  15: {
    name: 'Baidu Qianfan v1',
    baseUrl: 'https://aip.baidubce.com',
    keyHint: 'APIKey|SecretKey',
    keyPattern: parts(2, '|'),
  },
  16: {
    name: 'Zhipu BigModel',
    baseUrl: 'https://open.bigmodel.cn',
    keyHint: 'id.secret',
    keyPattern: parts(2, '.'),
  },
  17: {
    name: 'Alibaba DashScope',
    baseUrl: 'https://dashscope.aliyuncs.com',
    keyHint: 'sk-…',
    other: 'plugin',
  },
  18: {
    name: 'iFlytek Spark',
    baseUrl: 'https://spark-api.xf-yun.com',
    keyHint: 'APPID|APISecret|APIKey',
    keyPattern: parts(3, '|'),
    other: 'spark_version',
    otherDefault: 'v2.1',
  },
  19: { name: '360', baseUrl: 'https://api.360.cn' },
  20: { name: 'OpenRouter', baseUrl: 'https://openrouter.ai/api', keyHint: 'sk-or-…' },
  21: {
    name: 'AI Proxy Knowledge Base',
    baseUrl: 'https://api.aiproxy.io',
    other: 'library_id',
    legacy: true,
  },
  22: {
    name: 'FastGPT',
    baseUrl: 'https://fastgpt.run/api/openapi',
    keyHint: 'APIKey-AppId',
    keyPattern: /^\S+-\S+$/,
  },
  23: {
    name: 'Tencent Hunyuan',
    baseUrl: 'https://hunyuan.tencentcloudapi.com',
    keyHint: 'AppId|SecretId|SecretKey',
    keyPattern: parts(3, '|'),
  },
  24: { name: 'Google Gemini', baseUrl: 'https://generativelanguage.googleapis.com', keyHint: 'AIza…' },
  25: { name: 'Moonshot', baseUrl: 'https://api.moonshot.cn', keyHint: 'sk-…' },
  26: {
    name: 'Zhipu BigModel v4',
    baseUrl: 'https://open.bigmodel.cn',
    keyHint: 'id.secret',
    keyPattern: parts(2, '.'),
    legacy: true,
  },
  27: { name: 'Perplexity', baseUrl: 'https://api.perplexity.ai', keyHint: 'pplx-…' },
  31: { name: '01.AI', baseUrl: 'https://api.lingyiwanwu.com' },
  33: { name: 'AWS Bedrock Claude', keyHint: 'AK|SK|Region', keyPattern: parts(3, '|') },
  34: { name: 'Cohere', baseUrl: 'https://api.cohere.ai' },
  35: { name: 'MiniMax', baseUrl: 'https://api.minimax.chat' },
  36: { name: 'Suno', baseUrlRequired: true },
  37: { name: 'Dify', baseUrl: 'https://api.dify.ai', keyHint: 'app-…' },
  38: { name: 'Jina', baseUrl: 'https://api.jina.ai', keyHint: 'jina_…' },
  39: { name: 'Cloudflare Workers AI', baseUrl: 'https://api.cloudflare.com', other: 'account_id' },
  40: { name: 'SiliconFlow', baseUrl: 'https://api.siliconflow.cn', keyHint: 'sk-…' },
  41: {
    name: 'Vertex AI',
    keyHint: '{"type":"service_account","project_id":…}',
    singleKey: true,
    other: 'region',
  },
  42: { name: 'Mistral', baseUrl: 'https://api.mistral.ai' },
  43: { name: 'DeepSeek', baseUrl: 'https://api.deepseek.com', keyHint: 'sk-…' },
  44: { name: 'MokaAI M3E', baseUrl: 'https://api.moka.ai' },
  45: { name: 'Volcano Ark (Doubao)', baseUrl: 'https://ark.cn-beijing.volces.com' },
  46: { name: 'Baidu Qianfan v2', baseUrl: 'https://qianfan.baidubce.com', keyHint: 'bce-v3/…' },
  47: { name: 'Xinference', baseUrlRequired: true },
  48: { name: 'xAI', baseUrl: 'https://api.x.ai', keyHint: 'xai-…' },
  49: { name: 'GitHub Models', baseUrl: 'https://models.github.ai/inference', keyHint: 'github_pat_…' },
} satisfies Record<number, ChannelTypeRow>).map(([type, row]) => toChannelType(Number(type), row))

const BY_TYPE: ReadonlyMap<number, ChannelType> = new Map(CHANNEL_TYPE_LIST.map((entry) => [entry.type, entry]))

export function channelTypeOf(type: number): ChannelType | undefined {
  return BY_TYPE.get(type)
}

/** Types without tests: they would create images or songs, which is slow and costs money. */
export const UNTESTABLE_TYPES: ReadonlySet<number> = new Set([2, 5, 36])

function toChannelType(type: number, row: ChannelTypeRow): ChannelType {
  const { legacy = false } = row
  return {
    baseUrl: '',
    baseUrlRequired: false,
    keyHint: 'API key',
    singleKey: false,
    ...row,
    type,
    legacy,
    offered: !legacy,
  }
}

/** `count` parts that are not blank, with a separator between them. */
function parts(count: number, separator: '|' | '.'): RegExp {
  const part = `[^\\s${separator}]+`
  return new RegExp(`^${Array.from({ length: count }, () => part).join(`\\${separator}`)}$`)
}

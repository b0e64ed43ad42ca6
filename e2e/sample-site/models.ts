/** A model of the sample site: its provider and its share of the traffic. Prices are USD per 1M tokens. */
export interface SampleModel {
  readonly name: string
  /** Types of the channels that offer it. */
  readonly types: readonly number[]
  readonly input: number
  readonly output: number
  readonly weight: number
}

const OPENAI = [1, 3, 20]
const CLAUDE = [14, 33, 20]
const GEMINI = [24, 41, 20]

const model = (types: readonly number[], name: string, input: number, output: number, weight: number): SampleModel => ({
  name,
  types,
  input,
  output,
  weight,
})

/** Names of the price list, so that every model has a price. */
export const MODELS: readonly SampleModel[] = [
  model(CLAUDE, 'claude-sonnet-5-5', 3, 15, 18),
  model(OPENAI, 'gpt-5.4-mini', 0.75, 4.5, 15),
  model(OPENAI, 'gpt-5.4', 2.5, 15, 12),
  model(GEMINI, 'gemini-3.8-flash', 0.3, 2.5, 9),
  model(CLAUDE, 'claude-haiku-5-5', 1, 5, 8),
  model([43, 40, 45], 'deepseek-v4-pro', 0.56, 1.68, 7),
  model(CLAUDE, 'claude-opus-5-5', 5, 25, 5),
  model([17, 40], 'qwen3.8-max', 1.2, 6, 4),
  model(GEMINI, 'gemini-3.1-pro-preview', 2, 12, 4),
  model([16, 26], 'glm-5.3', 0.6, 2.2, 3),
  model([25], 'kimi-k3', 0.6, 2.5, 3),
  model(OPENAI, 'gpt-4o', 2.5, 10, 3),
  model([48], 'grok-4.7', 3, 15, 2),
  model([42], 'mistral-large-4-0', 2, 6, 2),
  model([45], 'doubao-seed-2-1-pro', 0.47, 2.37, 2),
  model([35], 'MiniMax-M3', 0.3, 1.2, 1),
  model([17], 'qwen3.8-omni-flash', 0.43, 1.66, 1),
  model(OPENAI, 'gpt-4o-mini', 0.15, 0.6, 1),
]

/** Types of the 200 channels with the names that operators give them, and how many there are. */
export const CHANNEL_GROUPS: readonly { type: number; names: readonly string[]; count: number; tag: string }[] = [
  { type: 1, tag: 'openai', count: 44, names: ['OpenAI team', 'OpenAI enterprise, Frankfurt', 'OpenAI tier 5 backup'] },
  { type: 14, tag: 'anthropic', count: 36, names: ['Claude direct', 'Anthropic scale plan, batch and agents'] },
  { type: 3, tag: 'azure', count: 18, names: ['Azure Sweden Central', 'Azure East US 2 (PTU reserved capacity)'] },
  { type: 24, tag: 'google', count: 18, names: ['Gemini pay-as-you-go', 'Gemini free tier pool'] },
  { type: 33, tag: 'aws', count: 10, names: ['Bedrock us-west-2', 'Bedrock eu-central-1 cross region inference'] },
  { type: 41, tag: 'google', count: 8, names: ['Vertex europe-west4'] },
  { type: 43, tag: 'cn', count: 12, names: ['DeepSeek 主线', 'DeepSeek official'] },
  { type: 17, tag: 'cn', count: 12, names: ['通义千问 企业版', 'DashScope international (Singapore)'] },
  { type: 45, tag: 'cn', count: 8, names: ['火山方舟 豆包'] },
  { type: 26, tag: 'cn', count: 6, names: ['智谱 GLM Coding 套餐'] },
  { type: 25, tag: 'cn', count: 6, names: ['Moonshot'] },
  { type: 40, tag: 'resale', count: 6, names: ['SiliconFlow'] },
  { type: 20, tag: 'resale', count: 6, names: ['OpenRouter fallback for everything else'] },
  { type: 48, tag: '', count: 4, names: ['xAI'] },
  { type: 42, tag: '', count: 4, names: ['Mistral La Plateforme'] },
  { type: 35, tag: 'cn', count: 2, names: ['MiniMax'] },
]

/** Where a LiteLLM provider goes here. */
export interface Vendor {
  readonly type: number
  /** For vendors that speak OpenAI's way and have no type of their own here. */
  readonly baseUrl?: string
  /** The address must be in the file. */
  readonly needsBase?: true
}

/** By the word before the slash of a model. */
export const VENDORS: Readonly<Record<string, Vendor>> = {
  openai: { type: 1 },
  text_completion_openai: { type: 1 },
  custom_openai: { type: 1, needsBase: true },
  openai_like: { type: 1, needsBase: true },
  hosted_vllm: { type: 1, needsBase: true },
  litellm_proxy: { type: 1, needsBase: true },
  groq: { type: 1, baseUrl: 'https://api.groq.com/openai' },
  together_ai: { type: 1, baseUrl: 'https://api.together.xyz' },
  fireworks_ai: { type: 1, baseUrl: 'https://api.fireworks.ai/inference' },
  deepinfra: { type: 1, baseUrl: 'https://api.deepinfra.com/v1/openai' },
  azure: { type: 3, needsBase: true },
  ollama: { type: 4 },
  ollama_chat: { type: 4 },
  anthropic: { type: 14 },
  openrouter: { type: 20 },
  gemini: { type: 24 },
  moonshot: { type: 25 },
  perplexity: { type: 27 },
  bedrock: { type: 33 },
  cohere: { type: 34 },
  cohere_chat: { type: 34 },
  minimax: { type: 35 },
  jina_ai: { type: 38 },
  vertex_ai: { type: 41 },
  mistral: { type: 42 },
  deepseek: { type: 43 },
  volcengine: { type: 45 },
  xai: { type: 48 },
  github: { type: 49 },
}

/** LiteLLM knows vendors of well-known models without the word. */
export function splitModel(model: string): { provider: string; vendorModel: string } {
  const [first = '', ...rest] = model.split('/')
  if (rest.length > 0) return { provider: first, vendorModel: rest.join('/') }
  return { provider: model.startsWith('claude') ? 'anthropic' : 'openai', vendorModel: model }
}

import { createHmac } from 'node:crypto'
import { readSettings } from '@tidegate/contract'
import { describe, expect, it } from 'vitest'
import { chooseChatApi } from './provider.ts'
import type { Target } from './target.ts'
import { providerOf } from './registry.ts'
import { zhipuToken } from './providers/zhipu.ts'

const settings = readSettings(new Map())
const target = (change: Partial<Target> = {}): Target => ({ baseUrl: '', key: 'k', model: 'm', ...change })

function chatUrl(type: number, change: Partial<Target> = {}): string | undefined {
  const goal = target(change)
  return chooseChatApi(providerOf(type), { dialect: 'openai-chat', target: goal })?.url(goal, {
    stream: false,
    settings,
  })
}
const operationUrl = (
  type: number,
  operation: 'embeddings' | 'rerank' | 'transcription',
  change: Partial<Target> = {},
) => providerOf(type).operations?.[operation]?.url(target(change), { settings })
const changesOf = (type: number, body: object) =>
  providerOf(type).chatApis?.[0]?.adapt?.(
    { ...body },
    { model: 'm', requestedModel: 'm', settings, isPassThrough: true },
  ).changes

describe('chat endpoints of providers', () => {
  it.each([
    [16, 'https://open.bigmodel.cn/api/paas/v4/chat/completions'],
    [17, 'https://dashscope.aliyuncs.com/compatible-mode/v1/chat/completions'],
    [22, 'https://fastgpt.run/api/openapi/v1/chat/completions'],
    [26, 'https://open.bigmodel.cn/api/paas/v4/chat/completions'],
    [27, 'https://api.perplexity.ai/chat/completions'],
    [34, 'https://api.cohere.ai/compatibility/v1/chat/completions'],
    [35, 'https://api.minimax.chat/v1/text/chatcompletion_v2'],
    [42, 'https://api.mistral.ai/v1/chat/completions'],
    [45, 'https://ark.cn-beijing.volces.com/api/v3/chat/completions'],
    [49, 'https://models.github.ai/inference/chat/completions'],
  ])('%i: %s', (type, url) => {
    expect(chatUrl(type)).toBe(url)
  })

  it('puts the deployment into the path for Azure, with the API version of the operator', () => {
    const at = { baseUrl: 'https://own.openai.azure.com/', model: 'gpt-4o mini' }

    expect(chatUrl(3, at)).toBe(
      'https://own.openai.azure.com/openai/deployments/gpt-4o%20mini/chat/completions?api-version=2024-12-01-preview',
    )
    expect(operationUrl(3, 'embeddings', { ...at, other: '2025-01-01' })).toBe(
      'https://own.openai.azure.com/openai/deployments/gpt-4o%20mini/embeddings?api-version=2025-01-01',
    )
    expect(providerOf(3).authorize(target())).toEqual({ 'api-key': 'k' })
  })

  it('puts the account into the path for Cloudflare', () => {
    expect(chatUrl(39, { other: 'acc/1' })).toBe(
      'https://api.cloudflare.com/client/v4/accounts/acc%2F1/ai/v1/chat/completions',
    )
    expect(operationUrl(39, 'embeddings', { other: 'acc' })).toBe(
      'https://api.cloudflare.com/client/v4/accounts/acc/ai/v1/embeddings',
    )
  })

  it('has no chat endpoint for providers of embeddings and reranking', () => {
    expect(chatUrl(38)).toBeUndefined()
    expect(chatUrl(44)).toBeUndefined()
    expect(operationUrl(38, 'rerank')).toBe('https://api.jina.ai/v1/rerank')
    expect(operationUrl(44, 'embeddings')).toBe('https://api.moka.ai/v1/embeddings')
    expect(operationUrl(44, 'rerank')).toBeUndefined()
  })
})

describe('changes that providers need', () => {
  it.each([
    [16, { top_p: 1 }, { top_p: 0.99 }],
    [27, { top_p: 1 }, { top_p: 0.99 }],
    [17, { top_p: 1 }, { top_p: 0.999 }],
    [17, { top_p: 0 }, { top_p: 0.001 }],
    [17, { top_p: 0.5 }, {}],
    [17, {}, {}],
  ])('type %i gets %j as %j', (type, body, changes) => {
    expect(changesOf(type, body)).toEqual(changes)
  })

  it('sends images to Mistral as plain URLs and leaves everything else unchanged', () => {
    const text = { type: 'text', text: 'what is it' }
    const image = { type: 'image_url', image_url: { url: 'https://x.example/a.png' } }

    expect(changesOf(42, { messages: [{ role: 'user', content: [text, image] }] })).toEqual({
      messages: [{ role: 'user', content: [text, { type: 'image_url', image_url: 'https://x.example/a.png' }] }],
    })
    expect(changesOf(42, { messages: [{ role: 'user', content: 'hi' }] })).toEqual({})
  })

  it('signs for Zhipu with the secret half of the key', () => {
    const [head, claims, signature] = zhipuToken('id.secret', 1_700_000_000_000).split('.')
    const read = (part: string | undefined) => JSON.parse(Buffer.from(part!, 'base64url').toString()) as unknown

    expect(read(head)).toEqual({ alg: 'HS256', sign_type: 'SIGN' })
    expect(read(claims)).toEqual({ api_key: 'id', exp: 1_700_000_600_000, timestamp: 1_700_000_000_000 })
    expect(signature).toBe(createHmac('sha256', 'secret').update(`${head}.${claims}`).digest('base64url'))
    expect(providerOf(16).authorize(target({ key: 'id.secret' })).authorization).not.toMatch(/^Bearer/)
  })

  it('sends the plugin header to Alibaba', () => {
    expect(providerOf(17).authorize(target({ other: 'plug' }))).toEqual({
      authorization: 'Bearer k',
      'x-dashscope-plugin': 'plug',
    })
  })

  it("converts Ollama's embeddings to OpenAI's format", () => {
    const { encode, decode, url } = providerOf(4).operations!.embeddings!

    expect(url(target(), { settings })).toBe('http://localhost:11434/api/embed')
    expect(encode!({ input: ['a'], encoding_format: 'float' }, { model: 'm' })).toEqual({ model: 'm', input: ['a'] })
    expect(decode!({ model: 'm', embeddings: [[1], [2]], prompt_eval_count: 3 }, {})).toEqual({
      object: 'list',
      data: [
        { object: 'embedding', index: 0, embedding: [1] },
        { object: 'embedding', index: 1, embedding: [2] },
      ],
      model: 'm',
      usage: { prompt_tokens: 3, total_tokens: 3 },
    })
    expect(decode!({ error: 'no such model' }, {})).toBeUndefined()
  })

  it('requests embeddings and images from Google in its format', () => {
    const { embeddings, 'image-generation': images } = providerOf(24).operations!

    expect(embeddings!.url(target({ model: 'text-embedding-004' }), { settings })).toBe(
      'https://generativelanguage.googleapis.com/v1beta/models/text-embedding-004:batchEmbedContents',
    )
    expect(embeddings!.encode!({ input: ['a', 'b'], dimensions: 2 }, { model: 'm' })).toEqual({
      requests: ['a', 'b'].map((text) => ({
        model: 'models/m',
        content: { parts: [{ text }] },
        outputDimensionality: 2,
      })),
    })
    expect(embeddings!.decode!({ embeddings: [{ values: [1, 2] }] }, {})).toEqual({
      object: 'list',
      data: [{ object: 'embedding', index: 0, embedding: [1, 2] }],
    })
    expect(images!.encode!({ prompt: 'a gate', n: 2, size: '1792x1024' }, { model: 'm' })).toEqual({
      instances: [{ prompt: 'a gate' }],
      parameters: { sampleCount: 2, aspectRatio: '16:9' },
    })
    expect(images!.decode!({ predictions: [{ bytesBase64Encoded: 'AA==' }] }, {})).toMatchObject({
      data: [{ b64_json: 'AA==' }],
    })
    expect(images!.decode!({}, {})).toBeUndefined()
  })

  it('sends bots and models of Volcano to their own paths', () => {
    expect(chatUrl(45, { model: 'bot-2024' })).toBe('https://ark.cn-beijing.volces.com/api/v3/bots/chat/completions')
    expect(operationUrl(45, 'embeddings')).toBe('https://ark.cn-beijing.volces.com/api/v3/embeddings')
  })

  it("sets Cohere's max_tokens and top_n defaults", () => {
    const { rerank } = providerOf(34).operations!

    expect(changesOf(34, {})).toEqual({ max_tokens: 4000 })
    expect(changesOf(34, { max_completion_tokens: 5 })).toEqual({})
    expect(rerank!.encode!({ query: 'q', documents: ['a'], user: 'u' }, { model: 'rerank-v3.5' })).toEqual({
      model: 'rerank-v3.5',
      query: 'q',
      documents: ['a'],
      top_n: 1,
      return_documents: true,
    })
    expect(rerank!.decode!({ id: 'x', results: [{ index: 0, relevance_score: 1 }], meta: {} }, {})).toEqual({
      results: [{ index: 0, relevance_score: 1 }],
    })
    expect(rerank!.decode!({ message: 'no' }, {})).toBeUndefined()
  })

  it("lists the models of GitHub's catalog", () => {
    const { modelList } = providerOf(49)

    expect(modelList?.url({ baseUrl: '' })).toBe('https://models.github.ai/catalog/models')
    expect(modelList?.read([{ id: 'openai/gpt-4o' }])).toEqual(['openai/gpt-4o'])
  })
})

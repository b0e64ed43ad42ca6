import { ERROR_PROTOCOLS, type ErrorProtocol } from '../../api-errors/protocols.ts'

/** Models by provider. Only the first provider fetches images itself. */
export const MODELS = { openai: 'gpt-4o', anthropic: 'claude-sonnet-4-20250514', gemini: 'gemini-2.5-flash' } as const

/** A field in which a client can send a URL, for a provider that wants the content. */
export interface ImageUrlField {
  readonly name: string
  readonly protocol: ErrorProtocol
  /** Served by a provider with another protocol: one with the same protocol gets the request unchanged. */
  readonly model: string
  body(model: string, ...urls: string[]): Record<string, unknown>
}

const [chat, responses, messages, gemini] = ERROR_PROTOCOLS as [
  ErrorProtocol,
  ErrorProtocol,
  ErrorProtocol,
  ErrorProtocol,
]

const chatBody = (model: string, content: unknown[]) => ({ model, messages: [{ role: 'user', content }] })
const fromUrl = (type: string) => (url: string) => ({ type, source: { type: 'url', url } })

export const IMAGE_URL_FIELDS: readonly ImageUrlField[] = [
  {
    name: 'image_url of chat completions',
    protocol: chat,
    model: MODELS.anthropic,
    body: (model, ...urls) =>
      chatBody(
        model,
        urls.map((url) => ({ type: 'image_url', image_url: { url } })),
      ),
  },
  {
    name: 'input_image of responses',
    protocol: responses,
    model: MODELS.gemini,
    body: (model, ...urls) => ({
      model,
      input: [{ role: 'user', content: urls.map((image_url) => ({ type: 'input_image', image_url })) }],
    }),
  },
  {
    name: 'input_file of responses',
    protocol: responses,
    model: MODELS.anthropic,
    body: (model, ...urls) => ({
      model,
      input: [{ role: 'user', content: urls.map((file_url) => ({ type: 'input_file', file_url })) }],
    }),
  },
  {
    name: 'an image of messages',
    protocol: messages,
    model: MODELS.gemini,
    body: (model, ...urls) => ({ ...chatBody(model, urls.map(fromUrl('image'))), max_tokens: 50 }),
  },
  {
    name: 'a document of messages',
    protocol: messages,
    model: MODELS.gemini,
    body: (model, ...urls) => ({ ...chatBody(model, urls.map(fromUrl('document'))), max_tokens: 50 }),
  },
  {
    name: 'an image in a tool result',
    protocol: messages,
    model: MODELS.gemini,
    body: (model, ...urls) => ({
      model,
      max_tokens: 50,
      messages: [
        { role: 'user', content: 'Look.' },
        { role: 'assistant', content: [{ type: 'tool_use', id: 'toolu_1', name: 'look', input: {} }] },
        {
          role: 'user',
          content: [{ type: 'tool_result', tool_use_id: 'toolu_1', content: urls.map(fromUrl('image')) }],
        },
      ],
    }),
  },
  {
    name: 'fileData of Gemini',
    protocol: gemini,
    model: MODELS.anthropic,
    body: (_model, ...urls) => ({
      contents: [{ role: 'user', parts: urls.map((fileUri) => ({ fileData: { mimeType: 'image/png', fileUri } })) }],
    }),
  },
]

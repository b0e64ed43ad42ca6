import { asJsonObject, asList, asText, type JsonObject } from '@tidegate/dialects'
import { endpoint } from '../target.ts'
import { adaptGemini, adaptInteraction, classifyGemini, GEMINI_MODELS } from '../gemini-compatible.ts'
import type { Operation, Operations } from '../operation.ts'
import { defineProvider } from '../provider.ts'

const HOME = 'https://generativelanguage.googleapis.com'

export const gemini = defineProvider({
  id: 'gemini',
  baseUrl: HOME,
  models: GEMINI_MODELS,
  authorize: ({ key }) => ({ 'x-goog-api-key': key }),
  chatApis: [
    {
      dialect: 'gemini-generate',
      url({ baseUrl, model }, { stream, settings }) {
        const versions = settings['gemini.version_settings']
        const version = versions[model] ?? versions.default ?? 'v1beta'
        const action = stream ? 'streamGenerateContent?alt=sse' : 'generateContent'
        return endpoint(baseUrl || HOME, `/${version}/models/${encodeURIComponent(model)}:${action}`)
      },
      inlinesMedia: true,
      adapt: adaptGemini,
      counting: {
        url: ({ baseUrl, model }) =>
          endpoint(baseUrl || HOME, `/v1beta/models/${encodeURIComponent(model)}:countTokens`),
        // Only this form may have tools and a system instruction.
        encode: (prompt, { model }) => ({ generateContentRequest: { ...prompt, model: `models/${model}` } }),
        result: 'totalTokens',
      },
    },
    // For clients of this protocol only: every other one is converted to generateContent.
    {
      dialect: 'gemini-interactions',
      url: ({ baseUrl }) => endpoint(baseUrl || HOME, '/v1beta/interactions'),
      adapt: adaptInteraction,
      storesResponses: true,
      passesHeaders: ['api-revision'],
    },
  ],
  operations: geminiOperations(HOME),
  modelList: {
    url: ({ baseUrl }) => endpoint(baseUrl || HOME, '/v1beta/openai/models'),
    read: (body) =>
      asList(asJsonObject(body)?.data)
        .map((model) => asText(asJsonObject(model)?.id).replace(/^models\//, ''))
        .filter(Boolean),
  },
  classify: classifyGemini,
})

/** Google's endpoints other than chat, converted to OpenAI's format. */
function geminiOperations(home: string): Operations {
  const url =
    (action: string): Operation['url'] =>
    ({ baseUrl, model }) =>
      endpoint(baseUrl || home, `/v1beta/models/${encodeURIComponent(model)}:${action}`)
  return {
    embeddings: { url: url('batchEmbedContents'), encode: encodeEmbeddings, decode: decodeEmbeddings },
    'image-generation': { url: url('predict'), encode: encodeImages, decode: decodeImages },
  }
}

function encodeEmbeddings({ input, dimensions }: JsonObject, { model }: { readonly model: string }): JsonObject {
  const texts = Array.isArray(input) ? (input as unknown[]) : [input]
  return {
    requests: texts.map((text) => ({
      model: `models/${model}`,
      content: { parts: [{ text: asText(text) }] },
      ...(dimensions !== undefined && { outputDimensionality: dimensions }),
    })),
  }
}

/** Google reports no usage for embeddings. */
function decodeEmbeddings(response: JsonObject): JsonObject | undefined {
  const embeddings = asList(response.embeddings)
  if (embeddings.length === 0) return undefined
  return {
    object: 'list',
    data: embeddings.map((entry, index) => ({
      object: 'embedding',
      index,
      embedding: asJsonObject(entry)?.values ?? [],
    })),
  }
}

/** Google takes an aspect ratio instead of a size. */
const ASPECT_RATIOS: Readonly<Record<string, string>> = {
  '1024x1024': '1:1',
  '1792x1024': '16:9',
  '1024x1792': '9:16',
  '1536x1024': '4:3',
  '1024x1536': '3:4',
}

function encodeImages({ prompt, n, size }: JsonObject): JsonObject {
  return {
    instances: [{ prompt }],
    parameters: { sampleCount: n ?? 1, aspectRatio: ASPECT_RATIOS[asText(size)] ?? '1:1' },
  }
}

function decodeImages(response: JsonObject): JsonObject | undefined {
  const images = asList(response.predictions)
    .map((prediction) => asText(asJsonObject(prediction)?.bytesBase64Encoded))
    .filter(Boolean)
  // The list is empty if Google blocked the images.
  return images.length === 0
    ? undefined
    : { created: Math.floor(Date.now() / 1000), data: images.map((b64_json) => ({ b64_json })) }
}

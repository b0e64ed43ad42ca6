import { asList, asText, asJsonObject } from '@tidegate/dialects'
import { endpoint } from '../../endpoint.ts'
import { defineProvider } from '../../provider.ts'
import { adaptGemini } from '../../gemini-compatible/adapt.ts'
import { classifyGemini } from '../../gemini-compatible/classify.ts'
import { GEMINI_MODELS } from '../../gemini-compatible/models.ts'
import { geminiOperations } from './operations.ts'

const HOME = 'https://generativelanguage.googleapis.com'

export const gemini = defineProvider({
  id: 'gemini',
  baseUrl: HOME,
  models: GEMINI_MODELS,
  authorize: ({ key }) => ({ 'x-goog-api-key': key }),
  conversations: [
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

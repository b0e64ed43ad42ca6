import { asList, asText, asJsonObject } from '@tidegate/dialects'
import { endpoint } from '../target.ts'
import { anthropicBatches } from '../batch.ts'
import { defineProvider } from '../provider.ts'
import { adaptClaude, classifyAnthropic, CLAUDE_MODELS } from '../anthropic-compatible.ts'

const HOME = 'https://api.anthropic.com'

export const anthropic = defineProvider({
  id: 'anthropic',
  baseUrl: HOME,
  models: CLAUDE_MODELS,
  authorize: ({ key }) => ({ 'x-api-key': key, 'anthropic-version': '2023-06-01' }),
  chatApis: [
    {
      dialect: 'anthropic-messages',
      url: ({ baseUrl }) => endpoint(baseUrl || HOME, '/v1/messages'),
      inlinesMedia: true,
      passesHeaders: ['anthropic-version', 'anthropic-beta'],
      adapt: adaptClaude,
      counting: {
        url: ({ baseUrl }) => endpoint(baseUrl || HOME, '/v1/messages/count_tokens'),
        result: 'input_tokens',
      },
    },
  ],
  modelList: {
    url: ({ baseUrl }) => endpoint(baseUrl || HOME, '/v1/models?limit=1000'),
    read: (body) =>
      asList(asJsonObject(body)?.data)
        .map((model) => asText(asJsonObject(model)?.id))
        .filter(Boolean),
  },
  batches: anthropicBatches(HOME),
  classify: classifyAnthropic,
})

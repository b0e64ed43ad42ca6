import { asList, asText, asJsonObject } from '@tidegate/dialects'
import { endpoint } from '../endpoint.ts'
import type { ModelList } from '../provider.ts'

/** The list of models as OpenAI gives it: beside the chat call, where an operator entered that one in full. */
export function openaiModelList(home: string, path = '/v1/models'): ModelList {
  return {
    url({ baseUrl }) {
      const base = (baseUrl || home).replace(/\/+$/, '')
      return base.endsWith('/chat/completions') ? base.replace(/\/chat\/completions$/, '/models') : endpoint(base, path)
    },
    read: (body) =>
      asList(asJsonObject(body)?.data ?? body)
        .map((model) => asText(asJsonObject(model)?.id))
        .filter(Boolean),
  }
}

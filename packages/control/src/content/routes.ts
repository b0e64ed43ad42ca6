import { api, type Settings } from '@tidegate/contract'
import type { Deps } from '../deps.ts'
import { applyEtag } from '../http/etag.ts'
import type { Serve } from '../serve.ts'
import { createEmbeddingCheck } from './check-embedding.ts'
import { SHORT_CACHE } from './custom-pages.ts'

/** Public texts. They are the same for everybody, so proxies may cache them briefly. */
export function registerContent(serve: Serve, deps: Pick<Deps, 'catalog' | 'now' | 'webhookClient'>): void {
  const { catalog } = deps
  const publish = (endpoint: typeof api.getNotice, content: (settings: Settings) => string) =>
    serve(endpoint, ({ request, reply }) => {
      const text = content(catalog().settings)
      applyEtag(request, reply, text, SHORT_CACHE)
      return text
    })
  publish(api.getNotice, ({ Notice }) => Notice)
  publish(api.getAbout, ({ About }) => About)
  publish(api.getHomePageContent, ({ HomePageContent }) => HomePageContent)
  const checkEmbedding = createEmbeddingCheck(deps)
  serve(api.getChatEmbedding, ({ query: { index = 0 }, request }) => checkEmbedding(index, request.host))
}

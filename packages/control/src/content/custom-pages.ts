import { api, type Settings } from '@tidegate/contract'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Deps } from '../deps.ts'
import { applyEtag } from '../http/etag.ts'

/**
 * Serves the operator's HTML unmodified for a frame of the console. It is a separate page, because the console forbids
 * inline scripts. The `sandbox` gives it an opaque origin, so its scripts reach neither session nor console, even when
 * opened directly.
 */
const POLICY = [
  'sandbox allow-scripts allow-forms allow-popups allow-popups-to-escape-sandbox',
  "default-src https: data: blob: 'unsafe-inline'",
  "frame-ancestors 'self'",
  "base-uri 'none'",
  "object-src 'none'",
].join('; ')

const CONTENT: Record<api.TrustedPage, (settings: Settings) => string> = {
  home: ({ HomePageContent }) => HomePageContent,
  about: ({ About }) => About,
  notice: ({ Notice }) => Notice,
  footer: ({ Footer }) => Footer,
}

export function registerTrustedPages(app: FastifyInstance, { catalog }: Pick<Deps, 'catalog'>): void {
  for (const page of api.TRUSTED_PAGES) {
    app.get(`/custom/pages/${page}`, { config: { unmetered: true } }, (request, reply) => {
      const { settings } = catalog()
      if (!settings['content.trusted_html_enabled']) return reply.code(404).send()
      const content = CONTENT[page](settings)
      void reply.header('Content-Security-Policy', POLICY)
      return sendText(request, reply, 'text/html', content.trim() === '' ? '' : wholePage(content))
    })
  }
}

/** Applies theme and language from the address and reports the page height to the console. */
const FRAME_SCRIPT = `(() => {
  const root = document.documentElement
  const follow = () => {
    const parameters = new URLSearchParams(location.hash.slice(1))
    root.dataset.theme = root.style.colorScheme = parameters.get('theme') === 'dark' ? 'dark' : 'light'
    root.lang = parameters.get('lang') || 'en'
  }
  follow()
  addEventListener('hashchange', follow)
  const reportHeight = () => parent.postMessage({ height: Math.ceil(root.getBoundingClientRect().height) }, location.origin)
  new ResizeObserver(reportHeight).observe(root)
})()`

const wholePage = (content: string) => `<!doctype html>
<html>
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<base target="_blank">
<style>body { margin: 0; font: 14px/1.6 system-ui, sans-serif; overflow-wrap: anywhere }</style>
<script>${FRAME_SCRIPT}</script>
</head>
<body>
${content}
</body>
</html>
`

/** The operator's style sheet and script, included by the console when set. */
export function registerCustomFiles(app: FastifyInstance, { catalog }: Pick<Deps, 'catalog'>): void {
  const config = { unmetered: true }
  app.get('/custom/global.css', { config }, (request, reply) =>
    sendText(request, reply, 'text/css', catalog().settings.global_css),
  )
  app.get('/custom/global.js', { config }, (request, reply) =>
    sendText(request, reply, 'text/javascript', catalog().settings.global_js),
  )
}

/** Proxies may cache for a minute; browsers revalidate each time, so operators see changes at once. */
export const SHORT_CACHE = 'public, max-age=0, s-maxage=60'

/** Sends operator text with an ETag and a short cache time; 204 when it is empty. */
function sendText(request: FastifyRequest, reply: FastifyReply, type: string, text: string): FastifyReply {
  void reply.header('X-Content-Type-Options', 'nosniff')
  if (text.trim() === '') return reply.header('Cache-Control', SHORT_CACHE).code(204).send()
  applyEtag(request, reply, text, SHORT_CACHE)
  return reply.sent ? reply : reply.type(`${type}; charset=utf-8`).send(text)
}

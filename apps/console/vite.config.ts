import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'
import { paletteStyles } from './src/lib/theme/palette.ts'

/** What the server answers itself; everything else is the console's own. */
const SERVER_PATHS = ['/api', '/v1', '/v1beta', '/pg', '/mj', '/suno', '/healthz', '/readyz']

const FRAMEWORK =
  /node_modules[\\/](react|react-dom|scheduler|react-router|@tanstack|i18next|react-i18next|i18next-browser-languagedetector|zustand|zod)[\\/]/

const server = process.env.TIDEGATE_DEV_SERVER ?? 'http://127.0.0.1:3000'

export default defineConfig({
  plugins: [react(), paletteInPage()],
  server: {
    proxy: Object.fromEntries(SERVER_PATHS.map((path) => [`^${path}(/|$|\\?)`, { target: server, ws: true }])),
  },
  build: {
    target: 'es2022',
    rolldownOptions: {
      // The contract only states shapes: a screen that uses one call need not carry the others.
      treeshake: { moduleSideEffects: [{ test: /packages[\\/]contract[\\/]/, sideEffects: false }] },
      // What every screen needs, in one file instead of a dozen; it also changes least often.
      output: { codeSplitting: { groups: [{ name: 'framework', test: FRAMEWORK }] } },
    },
  },
})

/** Puts the palette into the page itself, so that the first paint already has the right colours. */
function paletteInPage(): Plugin {
  return {
    name: 'palette-in-page',
    transformIndexHtml: () => [{ tag: 'style', children: paletteStyles(), injectTo: 'head' }],
  }
}

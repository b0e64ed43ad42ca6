import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'
import { contractInBrowser } from './contract-in-browser.ts'
import { paletteStyles } from './src/lib/theme/palette.ts'
import { antdStyles } from './vite/antd-styles.ts'
import { antdTableParts } from './vite/antd-table-parts.ts'
import { chunkGroups } from './vite/chunk-groups.ts'

/** What the server answers itself; everything else is the console's own. */
const SERVER_PATHS = ['/api', '/custom', '/v1', '/v1beta', '/pg', '/mj', '/suno', '/healthz', '/readyz']

const server = process.env.TIDEGATE_DEV_SERVER ?? 'http://127.0.0.1:3000'

export default defineConfig({
  plugins: [react(), contractInBrowser(), antdStyles(), antdTableParts(), paletteInPage()],
  server: {
    proxy: Object.fromEntries(SERVER_PATHS.map((path) => [`^${path}(/|$|\\?)`, { target: server, ws: true }])),
  },
  build: {
    target: 'es2022',
    manifest: true, // for scripts/console-size
    rolldownOptions: {
      // The contract only states shapes: a screen that uses one call need not carry the others.
      treeshake: { moduleSideEffects: [{ test: /packages[\\/]contract[\\/]/, sideEffects: false }] },
      output: { codeSplitting: { groups: chunkGroups() } },
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

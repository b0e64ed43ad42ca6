import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import react from '@vitejs/plugin-react'
import type { Plugin } from 'vite'
import { defineConfig } from 'vitest/config'

const ICONS = join(dirname(fileURLToPath(import.meta.resolve('@ant-design/icons'))), 'lib/icons')

/** Imports single icons: their index has a module for each of 1,700, which takes longer to load than Ant Design. */
const singleIcons: Plugin = {
  name: 'single-icons',
  enforce: 'pre',
  transform: {
    filter: { code: "from '@ant-design/icons'" },
    handler: (code) => ({
      code: code.replace(/^import \{([^}]*)\} from '@ant-design\/icons'$/gm, (_, names: string) =>
        names.replaceAll(
          /\w+,?/g,
          (name) => `import ${name.replace(',', '')} from '${ICONS}/${name.replace(',', '')}.js';`,
        ),
      ),
      map: null, // every line stays where it is
    }),
  },
}

export default defineConfig({
  plugins: [singleIcons, react()],
  test: {
    name: 'console',
    environment: 'jsdom',
    root: import.meta.dirname,
    include: ['src/**/*.test.tsx', 'src/**/*.dom.test.ts'],
    setupFiles: ['test/setup.ts'],
    restoreMocks: true,
    unstubGlobals: true,
    testTimeout: 120_000,
    hookTimeout: 120_000,
    // A browser of jsdom and the kit take longer to load than most files to run: those of a worker share them.
    isolate: false,
    maxWorkers: '100%',
    execArgv: ['--max-semi-space-size=64'],
    sequence: { groupOrder: 2 },
  },
})

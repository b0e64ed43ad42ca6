import type { Plugin } from 'vite'

/** Table modules for row selection and column filters, with their replacements. */
const REPLACED: readonly [module: RegExp, code: string][] = [
  [
    /antd[\\/]es[\\/]table[\\/]hooks[\\/]useSelection\.js$/,
    `export const [SELECTION_COLUMN, SELECTION_ALL, SELECTION_INVERT, SELECTION_NONE] = [{}, '', '', '']
     const nothing = [(columns) => columns, new Set()]
     export default () => nothing`,
  ],
  [
    /antd[\\/]es[\\/]table[\\/]hooks[\\/]useFilter[\\/]FilterDropdown\.js$/,
    'export const flattenKeys = () => []; export default () => null',
  ],
]

/** Removes parts of Ant Design's table that the console does not use. They import the tree, menus and radio buttons. */
export function antdTableParts(): Plugin {
  return {
    name: 'antd-table-parts',
    apply: 'build',
    load: {
      filter: { id: REPLACED.map(([module]) => module) },
      handler: (id) => REPLACED.find(([module]) => module.test(id))![1],
    },
  }
}

import type { Plugin } from 'vite'

/** Modules of the table that draw its own boxes to select rows and its own filters of columns, and what replaces them. */
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

/** Leaves out parts of Ant Design's table that the console draws itself: a tree, menus and radio buttons depend on them. */
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

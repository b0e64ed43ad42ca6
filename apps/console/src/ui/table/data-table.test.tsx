import { screen } from '@testing-library/react'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { showAtWidth } from '../../../test/phone.ts'
import { renderPart } from '../../../test/render-part.tsx'
import { stored } from '../../lib/stored.ts'
import { chosenColumns, type ColumnRules } from './column-choice.ts'
import { DataTable } from './data-table.tsx'

afterEach(() => vi.restoreAllMocks())

function open(width: number): string[] {
  showAtWidth(width)
  renderPart(
    <DataTable
      label="Parts"
      rows={[{ name: 'bolt' }]}
      rowKey={({ name }) => name}
      columns={[
        { key: 'name', title: 'Name', render: (_, { name }) => name },
        { key: 'size', title: 'Size', from: 1024 },
        { key: 'note', title: 'Note', from: 1440 },
      ]}
      renderCard={({ name }) => name}
      refreshing={false}
      empty={null}
    />,
  )
  return screen.queryAllByRole('columnheader').map(({ textContent }) => textContent)
}

describe('the columns of a table', () => {
  it.each([
    [768, ['Name']],
    [1024, ['Name', 'Size']],
    [1439, ['Name', 'Size']],
    [1440, ['Name', 'Size', 'Note']],
  ])('at %i px are %j', (width, expected) => {
    expect(open(width)).toEqual(expected)
  })

  it('are replaced by cards below 768 px', () => {
    expect(open(767)).toEqual([])
    expect(screen.getByRole('listitem').textContent).toBe('bolt')
  })

  it('are shown on a narrow screen if the user chose them', () => {
    const rules: ColumnRules<'name' | 'note'> = {
      keys: ['name', 'note'],
      forAdministrators: new Set(),
      hiddenAtFirst: { administrator: new Set(), user: new Set() },
      from: { note: 1440 },
      item: stored.drawingColumns,
    }

    expect(chosenColumns(rules, {}, false, 1200)).toEqual(['name'])
    expect(chosenColumns(rules, {}, false, 1440)).toEqual(['name', 'note'])
    expect(chosenColumns(rules, { note: true }, false, 0)).toEqual(['name', 'note'])
  })
})

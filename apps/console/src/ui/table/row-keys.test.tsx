import { screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { describe, expect, it, vi } from 'vitest'
import { renderPart } from '../../../test/render-part.tsx'
import { DataTable } from './data-table.tsx'
import { RowButton } from './row-button.tsx'

const ROWS = ['bow', 'mast', 'stern'].map((name) => ({ name }))

function open(edit = vi.fn<(name: string) => void>()) {
  const columns = [
    { title: 'Name', dataIndex: 'name' },
    {
      title: 'Note',
      render: (_: unknown, { name }: { name: string }) => <input aria-label={`note of ${name}`} />,
    },
    {
      title: 'Actions',
      render: (_: unknown, { name }: { name: string }) => (
        <RowButton main label={`Edit ${name}`} onClick={() => edit(name)}>
          Edit
        </RowButton>
      ),
    },
  ]
  renderPart(
    <DataTable
      label="Parts"
      rows={ROWS}
      rowKey={({ name }) => name}
      columns={columns}
      renderCard={({ name }) => name}
      refreshing={false}
      empty={null}
    />,
  )
  return { edit, person: userEvent.setup({ delay: null, pointerEventsCheck: 0 }) }
}

const row = (name: string) => screen.getByRole('row', { name: new RegExp(name) })

describe('table keyboard navigation', () => {
  it('moves through the rows and stops at the ends', async () => {
    const { person } = open()
    await person.tab()
    expect(document.activeElement).toBe(row('bow'))

    await person.keyboard('{ArrowDown}')
    expect(document.activeElement).toBe(row('mast'))
    await person.keyboard('{ArrowDown}{ArrowDown}')
    expect(document.activeElement).toBe(row('stern'))
    await person.keyboard('{Home}{ArrowUp}')
    expect(document.activeElement).toBe(row('bow'))
    await person.keyboard('{End}')
    expect(document.activeElement).toBe(row('stern'))
  })

  it('makes only the last focused row a tab stop', async () => {
    const { person } = open()
    await person.tab()
    await person.keyboard('{ArrowDown}')

    expect(['bow', 'mast', 'stern'].map((name) => row(name).tabIndex)).toEqual([-1, 0, -1])
  })

  it('runs the main action of a row on Enter, but not on Enter in a button', async () => {
    const { person, edit } = open()
    await person.tab()
    await person.keyboard('{ArrowDown}{Enter}')
    expect(edit.mock.calls).toEqual([['mast']])

    screen.getByRole('button', { name: 'Edit stern' }).focus()
    await person.keyboard('{Enter}')
    expect(edit.mock.calls).toEqual([['mast'], ['stern']])
  })

  it('ignores keys in an input', async () => {
    const { person } = open()
    const note = screen.getByRole('textbox', { name: 'note of bow' })
    await person.click(note)

    await person.keyboard('{ArrowDown}')

    expect(document.activeElement).toBe(note)
  })
})

import { fireEvent, screen } from '@testing-library/react'
import { expect, it } from 'vitest'
import { renderPart } from '../../../test/render-part.tsx'
import { RowCard } from './row-card.tsx'

it('shows details after a tap and hides them after another', () => {
  renderPart(<RowCard title="alpha" aside="on" note="a note" details={<p>more about alpha</p>} />)
  const opener = screen.getByRole('button', { name: '详情 alpha' })
  expect(screen.getByText('a note')).toBeTruthy()
  expect(screen.queryByText('more about alpha')).toBeNull()

  fireEvent.click(opener)
  expect(screen.getByText('more about alpha')).toBeTruthy()
  expect(opener.getAttribute('aria-expanded')).toBe('true')
  fireEvent.click(opener)

  expect(screen.queryByText('more about alpha')).toBeNull()
})

it('has no button without details', () => {
  renderPart(<RowCard title="alpha">facts</RowCard>)

  expect(screen.getByText('facts')).toBeTruthy()
  expect(screen.queryByRole('button')).toBeNull()
})

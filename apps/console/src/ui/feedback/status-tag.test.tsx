import { render, screen } from '@testing-library/react'
import { expect, it } from 'vitest'
import { StatusTag } from './status-tag.tsx'

it('draws the usual state as plain text, and other states with an icon', () => {
  render(
    <>
      <StatusTag tone="usual">paid</StatusTag>
      <StatusTag tone="bad">failed</StatusTag>
    </>,
  )

  expect(screen.getByText('paid').closest('[data-tone]')).toBeNull()
  expect(screen.getByText('failed').closest('[data-tone]')?.querySelector('svg')).not.toBeNull()
})

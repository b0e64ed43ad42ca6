import { render, screen } from '@testing-library/react'
import { expect, it } from 'vitest'
import { startTestLanguage } from '../../../test/language.ts'
import { useValueText } from './option-names.ts'

function Values() {
  const textOf = useValueText('RetryTimes', 'integer')
  return ['1', '2'].map((value) => <p key={value}>{textOf(value)}</p>)
}

it('writes the unit of a number in its grammatical form', async () => {
  await startTestLanguage('en')
  try {
    render(<Values />)

    expect(screen.getByText('1 retry')).toBeTruthy()
    expect(screen.getByText('2 retries')).toBeTruthy()
  } finally {
    await startTestLanguage('zh')
  }
})

import { describe, expect, it } from 'vitest'
import { BLANK, changeOf, newExport } from './export-values.ts'

describe('the values of the form', () => {
  it('contain the credentials of the chosen kind only', () => {
    const body = newExport({ ...BLANK, kind: 's3', access_key_id: ' id ', secret_access_key: 'key', secret: 'other' })

    expect(body.secrets).toEqual({ access_key_id: 'id', secret_access_key: 'key' })
  })

  it('leave stored credentials alone unless new ones are entered', () => {
    expect(changeOf({ ...BLANK, kind: 'webhook' })).not.toHaveProperty('secrets')
    expect(changeOf({ ...BLANK, kind: 'webhook', secret: 'new' })).toMatchObject({ secrets: { secret: 'new' } })
  })
})

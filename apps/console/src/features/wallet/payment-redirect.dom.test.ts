import { expect, it, vi } from 'vitest'
import { openPaymentPage, webAddress } from './payment-redirect.ts'

/** Records the forms that the browser would send. */
function recordForms() {
  const sent: { action: string; method: string; fields: Record<string, string> }[] = []
  vi.spyOn(HTMLFormElement.prototype, 'submit').mockImplementation(function (this: HTMLFormElement) {
    const fields = [...this.querySelectorAll('input')].map(({ name, value }) => [name, value] as const)
    sent.push({ action: this.action, method: this.method, fields: Object.fromEntries(fields) })
  })
  return sent
}

const violation = (effectiveDirective: string) =>
  document.dispatchEvent(Object.assign(new Event('securitypolicyviolation'), { effectiveDirective }))

it('sends every field by POST, even one named submit, and removes the form', () => {
  const sent = recordForms()
  const data = { pid: '1', submit: 'yes', name: '<b>"quoted"</b>' }

  openPaymentPage({ url: 'https://pay.example/submit.php', data, method: 'POST' }, () => {})

  expect(sent).toEqual([{ action: 'https://pay.example/submit.php', method: 'post', fields: data }])
  expect(document.querySelector('form')).toBeNull()
})

it('reports once that the browser blocked the form', () => {
  recordForms()
  const onBlocked = vi.fn()
  openPaymentPage({ url: 'http://pay.example/submit.php', data: {}, method: 'POST' }, onBlocked)

  violation('img-src')
  expect(onBlocked).not.toHaveBeenCalled()
  violation('form-action')
  violation('form-action')

  expect(onBlocked).toHaveBeenCalledTimes(1)
})

it('rejects a URL that is not a web page', () => {
  const sent = recordForms()
  const pay = (method: 'POST' | 'GET') => () =>
    openPaymentPage({ url: 'javascript:alert(1)', data: {}, method }, () => {})

  expect(pay('POST')).toThrow('no address')
  expect(pay('GET')).toThrow('no address')
  expect(sent).toEqual([])
})

it.each([
  ['https://shop.example/codes', 'https://shop.example/codes'],
  [' http://pay.example/submit.php ', 'http://pay.example/submit.php'],
  ['javascript:alert(1)', ''],
  ['data:text/html,hello', ''],
  ['https://', ''],
  ['  ', ''],
])('reads "%s" as the URL "%s"', (value, address) => {
  expect(webAddress(value)).toBe(address)
})

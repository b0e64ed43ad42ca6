import { expect, it, vi } from 'vitest'
import { goToPayment } from './go-to-payment.ts'

/** Keeps what the browser would send, and where. */
function watchForms() {
  const sent: { action: string; method: string; fields: Record<string, string> }[] = []
  vi.spyOn(HTMLFormElement.prototype, 'submit').mockImplementation(function (this: HTMLFormElement) {
    const fields = [...this.querySelectorAll('input')].map(({ name, value }) => [name, value] as const)
    sent.push({ action: this.action, method: this.method, fields: Object.fromEntries(fields) })
  })
  return sent
}

const violation = (effectiveDirective: string) =>
  document.dispatchEvent(Object.assign(new Event('securitypolicyviolation'), { effectiveDirective }))

it('sends every field by post, also one that is called submit, and leaves nothing behind', () => {
  const sent = watchForms()
  const data = { pid: '1', submit: 'yes', name: '<b>"quoted"</b>' }

  goToPayment({ url: 'https://pay.example/submit.php', data, method: 'POST' }, () => {})

  expect(sent).toEqual([{ action: 'https://pay.example/submit.php', method: 'post', fields: data }])
  expect(document.querySelector('form')).toBeNull()
})

it('tells once when the browser is not allowed to send the form', () => {
  watchForms()
  const onBlocked = vi.fn()
  goToPayment({ url: 'http://pay.example/submit.php', data: {}, method: 'POST' }, onBlocked)

  violation('img-src')
  expect(onBlocked).not.toHaveBeenCalled()
  violation('form-action')
  violation('form-action')

  expect(onBlocked).toHaveBeenCalledTimes(1)
})

it('goes to no address that is not a page of the web', () => {
  const sent = watchForms()
  const pay = (method: 'POST' | 'GET') => () => goToPayment({ url: 'javascript:alert(1)', data: {}, method }, () => {})

  expect(pay('POST')).toThrow('no address')
  expect(pay('GET')).toThrow('no address')
  expect(sent).toEqual([])
})

import { webAddress } from '../web-address.ts'

interface Payment {
  url: string
  /** Fields of the form, for POST. */
  data: Record<string, string>
  method: 'POST' | 'GET'
}

/** Leaves for the payment page, unless the browser is not allowed to: that is heard only after the form was sent. */
export function goToPayment({ url, data, method }: Payment, onBlocked: () => void): void {
  const address = webAddress(url)
  if (address === '') throw new Error('The payment page has no address.')
  if (method === 'GET') {
    window.location.assign(address)
    return
  }
  const form = document.createElement('form')
  form.method = 'POST'
  form.action = address
  form.hidden = true
  for (const [name, value] of Object.entries(data)) {
    const field = document.createElement('input')
    field.type = 'hidden'
    field.name = name
    field.value = value
    form.append(field)
  }
  document.addEventListener('securitypolicyviolation', function listen({ effectiveDirective }) {
    if (effectiveDirective !== 'form-action') return
    document.removeEventListener('securitypolicyviolation', listen)
    onBlocked()
  })
  document.body.append(form)
  // Not form.submit(): a field may be called that.
  HTMLFormElement.prototype.submit.call(form)
  form.remove()
}

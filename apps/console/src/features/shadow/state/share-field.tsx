import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { wholeNumber } from '../../../lib/whole-number.ts'
import { toast } from '../../../lib/toast.ts'
import { Input } from '../../../ui/kit/index.ts'
import styles from '../shadow.module.css'

interface Props {
  id: string
  share: number
  onSave(share: number): Promise<unknown>
}

/** Per cent. Enter or leaving saves, Escape gives up, and so does leaving what is no share. */
export function ShareField({ id, share, onSave }: Props) {
  const { t } = useTranslation('shadow')
  const [draft, setDraft] = useState({ text: String(share), of: share })
  const [saving, setSaving] = useState(false)
  const reset = () => setDraft({ text: String(share), of: share })
  if (draft.of !== share) reset()
  const next = shareIn(draft.text)

  const save = async () => {
    if (saving || next === share) return
    if (next === null) return toast.error(t('state.shareInvalid'))
    setSaving(true)
    // A refusal has been told by a toast; the old value shows again.
    await onSave(next).catch(reset)
    setSaving(false)
  }
  return (
    <Input
      id={id}
      className={styles.shareField}
      inputMode="numeric"
      suffix="%"
      value={draft.text}
      readOnly={saving}
      status={next === null ? 'error' : ''}
      onChange={(event) => setDraft({ ...draft, text: event.target.value })}
      onPressEnter={() => void save()}
      onBlur={() => (next === null ? reset() : void save())}
      onKeyDown={(event) => event.key === 'Escape' && reset()}
    />
  )
}

function shareIn(text: string): number | null {
  const share = wholeNumber(text.trim())
  return share !== null && share <= 100 ? share : null
}

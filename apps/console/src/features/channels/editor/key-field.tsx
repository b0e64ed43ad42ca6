import { channelTypeOf, type ChannelDetail } from '@tidegate/contract/api'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Button, Form } from '../../../ui/kit/index.ts'
import type { ChannelValues } from './channel-values.ts'
import styles from './editor.module.css'
import { KeyEntry } from './key-entry.tsx'
import { isMasked, splitKeys } from './key-text.ts'
import { StoredKeys } from './stored-keys.tsx'

/** Write-only: what is stored shows masked and stays until somebody replaces it. */
export function KeyField({ channel }: { channel?: ChannelDetail }) {
  const { t } = useTranslation('channels')
  const form = Form.useFormInstance<ChannelValues>()
  const type = Form.useWatch('type', form) ?? channel?.type ?? 1
  const [replacing, setReplacing] = useState(channel === undefined)
  const kind = channelTypeOf(type)
  const singleKey = kind?.singleKey ?? false

  if (channel && !replacing) {
    const replace = () => {
      // Masked lines stand for their keys, so that one can be added or taken out without knowing the others.
      form.setFieldValue('key', singleKey ? '' : channel.key)
      setReplacing(true)
    }
    return (
      <Form.Item label={t('form.key')} extra={t('form.keyStoredHint')}>
        <StoredKeys channel={channel} onReplace={replace} />
      </Form.Item>
    )
  }
  const hint = channel && !singleKey ? t('form.keyReplaceHint') : t('form.keyHint')
  return (
    <>
      <Form.Item<ChannelValues>
        name="key"
        label={t('form.key')}
        extra={hint}
        rules={[
          { required: !channel, whitespace: true, message: t('form.keyRequired') },
          {
            validator: (_, text: string = '') =>
              fits(text) ? Promise.resolve() : Promise.reject(new Error(t('form.keyShape', { shape: kind?.keyHint }))),
          },
        ]}
      >
        <KeyEntry singleKey={singleKey} placeholder={kind?.keyHint ?? ''} />
      </Form.Item>
      {channel && (
        <div className={styles.keyUndo}>
          <Button size="small" type="link" onClick={() => form.setFieldValue('key', '')}>
            {t('form.clearKey')}
          </Button>
          <Button
            size="small"
            type="link"
            onClick={() => {
              form.setFieldValue('key', '')
              setReplacing(false)
            }}
          >
            {t('form.keepKey')}
          </Button>
        </div>
      )}
    </>
  )

  function fits(text: string): boolean {
    if (text.trim() === '' || !kind?.keyPattern) return true
    return splitKeys(text).every((key) => isMasked(key) || kind.keyPattern!.test(key))
  }
}

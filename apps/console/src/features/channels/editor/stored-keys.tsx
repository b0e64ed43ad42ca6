import { EyeInvisibleOutlined, EyeOutlined } from '@ant-design/icons'
import type { ChannelDetail } from '@tidegate/contract/api'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { CopyButton } from '../../../ui/copy-button.tsx'
import { Button, Input } from '../../../ui/kit/index.ts'
import { useRevealKey } from '../mutations.ts'
import styles from './editor.module.css'

interface Props {
  channel: Pick<ChannelDetail, 'id' | 'name' | 'key'>
  onReplace(): void
}

/** Keys that are stored: masked, unless somebody asks to see them, which leaves a trail. */
export function StoredKeys({ channel, onReplace }: Props) {
  const { t } = useTranslation('channels')
  const reveal = useRevealKey()
  const [revealed, setRevealed] = useState<string | null>(null)
  const shown = revealed ?? channel.key
  const toggle = () => {
    if (revealed !== null) return setRevealed(null)
    reveal.mutate(channel.id, { onSuccess: ({ key }) => setRevealed(key) })
  }
  return (
    <div className={styles.storedKeys}>
      {shown === '' ? (
        <p className="secondary">{t('form.keyUnreadable')}</p>
      ) : (
        <Input.TextArea
          className={`mono ${styles.keyLines}`}
          aria-label={t('form.storedKeys')}
          readOnly
          autoSize={{ minRows: 1, maxRows: 6 }}
          value={shown}
        />
      )}
      <div className={styles.keyButtons}>
        {channel.key !== '' && (
          <Button
            size="small"
            loading={reveal.isPending}
            icon={revealed === null ? <EyeOutlined aria-hidden /> : <EyeInvisibleOutlined aria-hidden />}
            onClick={toggle}
          >
            {t(revealed === null ? 'form.revealKey' : 'form.hideKey')}
          </Button>
        )}
        <Button size="small" onClick={onReplace}>
          {t('form.replaceKey')}
        </Button>
        {revealed !== null && (
          <CopyButton
            text={revealed}
            label={t('form.copyKey', { name: channel.name })}
            words={t('form.copyKeyWords')}
          />
        )}
      </div>
    </div>
  )
}

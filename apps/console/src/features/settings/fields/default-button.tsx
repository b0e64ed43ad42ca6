import { useTranslation } from 'react-i18next'
import { Button, Popconfirm } from '../../../ui/kit/index.ts'

interface Props {
  label: string
  onUse(): void
}

/** For values too long to type again. */
export function DefaultButton({ label, onUse }: Props) {
  const { t } = useTranslation('settings')
  const { t: common } = useTranslation()
  return (
    <Popconfirm
      title={t('useDefaultTitle')}
      okText={t('useDefault')}
      cancelText={common('cancel')}
      onConfirm={onUse}
      styles={{ root: { maxWidth: 320 } }}
    >
      <Button size="small" type="text" aria-label={t('useDefaultOf', { label })}>
        {t('useDefault')}
      </Button>
    </Popconfirm>
  )
}

import { useTranslation } from 'react-i18next'
import { errorText } from '../../../api/errors.ts'
import { toast } from '../../../lib/toast.ts'
import { Button, Form } from '../../../ui/kit/index.ts'
import type { FormValues } from '../option-values.ts'
import { useDiscoverOidc } from '../queries.ts'
import styles from '../settings.module.css'

/** Fills in the addresses that the provider's own document names; they are saved with the section. */
export function DiscoverOidc({ onFilled }: { onFilled(): void }) {
  const { t } = useTranslation('settings')
  const form = Form.useFormInstance<FormValues>()
  const discover = useDiscoverOidc()
  const wellKnown = Form.useWatch('oidc.well_known', form)
  const address = typeof wellKnown === 'string' ? wellKnown.trim() : ''
  const read = () =>
    discover.mutate(address, {
      onSuccess(found) {
        form.setFields([
          { name: 'oidc.well_known', errors: [] },
          { name: 'oidc.authorization_endpoint', value: found.authorization_endpoint, errors: [] },
          { name: 'oidc.token_endpoint', value: found.token_endpoint, errors: [] },
          { name: 'oidc.user_info_endpoint', value: found.user_info_endpoint, errors: [] },
        ])
        onFilled()
        toast.success(t('oidc.filled'))
      },
      onError: (error) => form.setFields([{ name: 'oidc.well_known', errors: [errorText(error)] }]),
    })
  return (
    <div className={styles.line}>
      <Button onClick={read} loading={discover.isPending} disabled={address === ''}>
        {t('oidc.read')}
      </Button>
      <span className={styles.help}>{t('oidc.hint')}</span>
    </div>
  )
}

import type { User } from '@tidegate/contract/api'
import { useTranslation } from 'react-i18next'
import { Facts } from '../../../ui/facts.tsx'
import { FormSection } from '../../../ui/form-section.tsx'
import styles from '../users.module.css'

/** Accounts elsewhere that belong to the user. Only the user binds and unbinds them. */
export function BindingsSection({ user }: { user: User }) {
  const { t } = useTranslation('users')
  const bound = {
    email: user.email,
    github: user.github_id,
    oidc: user.oidc_id,
    wechat: user.wechat_id,
    telegram: user.telegram_id,
    linuxdo: user.linux_do_id,
  }
  return (
    <FormSection title={t('form.bindings')} hint={t('form.bindingsHint')}>
      <div className={styles.facts}>
        <Facts
          facts={(Object.keys(bound) as (keyof typeof bound)[]).map((service) => ({
            term: t(`bindings.${service}`),
            value: bound[service] || <span className="secondary">{t('bindings.none')}</span>,
          }))}
        />
      </div>
    </FormSection>
  )
}

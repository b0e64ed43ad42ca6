import type { User } from '@tidegate/contract/api'
import { useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { toast } from '../../../lib/toast.ts'
import { Button, Switch } from '../../../ui/kit/index.ts'
import styles from '../account.module.css'
import { useSaveSetting } from '../api.ts'
import { readSetting } from '../setting.ts'
import { useUnsavedForm } from '../unsaved-forms.tsx'

interface Props {
  user: User
  name: 'accept_unset_model_ratio_model' | 'show_ip_in_logs'
}

/** One switch of the user settings. */
export function PreferenceForm({ user, name }: Props) {
  const { t } = useTranslation('me')
  const { t: common } = useTranslation()
  const id = useId()
  const save = useSaveSetting()
  const stored = readSetting(user.setting)[name]
  const [selected, setSelected] = useState<boolean | null>(null)
  const isOn = selected ?? stored
  useUnsavedForm(() => isOn !== stored)

  const submit = () => {
    if (isOn === stored) return toast.info(t('unchanged'))
    save.mutate(
      { [name]: isOn },
      {
        onSuccess() {
          setSelected(null)
          toast.success(t('saved'))
        },
      },
    )
  }
  return (
    <div className={styles.form}>
      <div className={styles.preference}>
        <Switch
          id={id}
          checked={isOn}
          disabled={save.isPending}
          onChange={setSelected}
          aria-describedby={`${id}-hint`}
        />
        <div>
          <label htmlFor={id}>{t(`choices.${name}.label`)}</label>
          <p id={`${id}-hint`} className={styles.hint}>
            {t(`choices.${name}.hint`)}
          </p>
        </div>
      </div>
      <Button type="primary" loading={save.isPending} onClick={submit}>
        {common('save')}
      </Button>
    </div>
  )
}

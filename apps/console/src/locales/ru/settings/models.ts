/** Names of the rate limits and model settings, and a line on what each is for. */
export default {
  ModelRequestRateLimitEnabled: {
    label: 'Ограничить вызовы пользователя',
    help: 'Сколько вызовов моделей пользователь может сделать за период',
  },
  ModelRequestRateLimitDurationMinutes: {
    label: 'Период',
    help: 'За какое время считаются вызовы; 0 — без ограничения',
  },
  ModelRequestRateLimitCount: { label: 'Вызовов за период', help: 'Неудачные тоже считаются; 0 — без ограничения' },
  ModelRequestRateLimitSuccessCount: {
    label: 'Успешных вызовов за период',
    help: 'Только успешные; не меньше 1',
  },

  global_pass_through_request_enabled: {
    label: 'Передавать без изменений',
    help: 'Тела в формате OpenAI уходят поставщику как есть',
  },
  global_hide_upstream_error_enabled: {
    label: 'Скрывать ошибки поставщиков',
    help: 'Пользователи видят общую ошибку вместо слов поставщика',
  },
  global_block_browser_extension_enabled: {
    label: 'Отклонять расширения браузера',
    help: 'Вызовы из расширений браузера отклоняются',
  },

  global_rate_limit_exempt_enabled: {
    label: 'Исключение из лимитов',
    help: 'Для группы ниже нет лимита вызовов',
  },
  global_rate_limit_exempt_group: { label: 'Группа без лимита', help: 'Имя группы' },
  global_safe_check_exempt_enabled: {
    label: 'Исключение из запрещённых слов',
    help: 'Вызовы группы ниже не проверяются на запрещённые слова',
  },
  global_safe_check_exempt_group: { label: 'Группа без проверки слов', help: 'Имя группы' },

  global_auto_retry_enabled: {
    label: 'Автоповтор',
    help: 'Неудачные вызовы повторяются незаметно для пользователя',
  },
  global_auto_retry_count: { label: 'Число повторов', help: 'От 1 до 10' },
  global_auto_retry_force_channel_switch: {
    label: 'Повторять только в другом канале',
    help: 'Тот же канал не повторяется, даже если другого нет',
  },
  global_auto_retry_status_codes: {
    label: 'Коды для повтора',
    help: 'x — любая цифра, например 5xx или 429; пусто — все',
  },

  general_setting_ping_interval_enabled: {
    label: 'Поддерживать потоки',
    help: 'Шлёт пустые строки, пока поставщик молчит, чтобы прокси не закрыл соединение',
  },
  general_setting_ping_interval_seconds: { label: 'Интервал', help: 'Не меньше 1 секунды' },

  gemini_safety_settings: {
    label: 'Настройки безопасности',
    help: 'Что блокируется, по категориям; default — для остальных',
  },
  gemini_version_settings: { label: 'Версии API', help: 'По моделям; default — для остальных' },
  gemini_supported_imagine_models: { label: 'Рисующие модели', help: 'В их ответах могут быть изображения' },
  gemini_thinking_adapter_enabled: {
    label: 'Суффикс рассуждений',
    help: 'Имена на -thinking и -nothinking включают или отключают их, например gemini-2.5-flash-thinking',
  },
  gemini_thinking_adapter_budget_tokens_percentage: {
    label: 'Доля рассуждений',
    help: 'Какую часть самого длинного ответа могут занять рассуждения, от 0.002 до 1',
  },
  gemini_models_supported_thinking_budget: {
    label: 'Модели с бюджетом рассуждений',
    help: 'Бюджет отправляется только им',
  },

  claude_model_headers_settings: { label: 'Заголовки', help: 'Заголовки по моделям, например anthropic-beta' },
  claude_default_max_tokens: {
    label: 'Длина ответа по умолчанию',
    help: 'Для вызовов без указания; default — для остальных моделей',
  },
  claude_thinking_adapter_enabled: { label: 'Суффикс рассуждений', help: 'Имена на -thinking включают их' },
  claude_thinking_adapter_budget_tokens_percentage: {
    label: 'Доля рассуждений',
    help: 'Какую часть самого длинного ответа могут занять рассуждения, от 0.1 до 1',
  },

  global_model_mapping: { label: 'Соответствия моделей', help: 'Какие модели стоят за виртуальными именами' },
}

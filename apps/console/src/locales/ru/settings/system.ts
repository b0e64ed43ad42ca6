/** Names of the system settings and of what visitors see, and a line on what each is for. */
export default {
  ServerAddress: {
    label: 'Адрес сервера',
    help: 'Публичный адрес сайта для ссылок в письмах и ответов сервисов: https://gate.example.com',
  },

  ReverseProxyEnabled: {
    label: 'Доверять обратному прокси',
    help: 'Берёт адреса посетителей из его заголовков; только если прокси действительно есть',
  },
  ReverseProxyProvider: { label: 'Вид прокси', help: 'Какие заголовки читать' },

  WorkerUrl: { label: 'Адрес посредника', help: 'Если задан, загрузки и webhook идут через него' },
  WorkerValidKey: { label: 'Ключ посредника', help: 'Передаётся посреднику с каждым запросом' },

  audit_syslog_address: {
    label: 'Адрес syslog',
    help: 'RFC 5424 через tls://, tcp:// или udp://, с хостом и портом. Пусто: выключено',
  },
  audit_webhook_url: {
    label: 'Адрес webhook',
    help: 'Адрес https, который получает подписанные строки JSON. Пусто: выключено',
  },
  audit_webhook_secret: {
    label: 'Секрет webhook',
    help: 'Подписывает каждый запрос, чтобы получатель мог проверить отправителя',
  },

  PasswordLoginEnabled: { label: 'Вход по паролю', help: 'Прежде чем отключать, убедитесь, что есть другой вход' },
  PasswordRegisterEnabled: { label: 'Регистрация с паролем', help: 'Отключено: только через другой сервис' },
  EmailVerificationEnabled: { label: 'Подтверждать почту при регистрации', help: 'Нужен почтовый сервер' },
  RegisterEnabled: { label: 'Регистрация', help: 'Отключено: зарегистрироваться нельзя никак' },
  TurnstileCheckEnabled: { label: 'Проверка на человека', help: 'Нужны оба ключа Turnstile' },
  GitHubOAuthEnabled: { label: 'Вход через GitHub', help: 'Нужны его ID клиента и секрет' },
  oidc_enabled: { label: 'Вход через OIDC', help: 'Нужны его клиент и три адреса' },
  LinuxDOOAuthEnabled: { label: 'Вход через LinuxDO', help: 'Нужны его ID клиента и секрет' },
  WeChatAuthEnabled: { label: 'Вход через WeChat', help: 'Нужны адрес и токен службы WeChat' },
  TelegramOAuthEnabled: { label: 'Вход через Telegram', help: 'Нужен токен бота' },
  security_new_device_mail_enabled: {
    label: 'Письмо о входе с нового устройства',
    help: 'Сообщает пользователю о первом входе из незнакомого браузера; нужен почтовый сервер',
  },
  security_auth_failure_alert_threshold: {
    label: 'Порог неудачных входов в час',
    help: 'Если их больше, суперадминистратор получает уведомление; 0 — никогда',
  },

  security_require_two_factor_for_admins: {
    label: 'Требовать второй фактор от администраторов',
    help: 'Администраторы без двухфакторной аутентификации и ключа доступа смогут только настроить их. Сначала настройте для своей учётной записи',
  },
  security_console_allowed_addresses: {
    label: 'Разрешённые адреса администраторов',
    help: 'IP-адреса и диапазоны, с которых администраторы могут пользоваться консолью и её API; пусто — отовсюду. Список должен содержать ваш адрес',
  },
  security_session_days: {
    label: 'Длительность сеанса',
    help: 'Сеансы, включая уже открытые, завершаются через столько дней',
  },
  security_session_idle_minutes: {
    label: 'Завершать неактивные сеансы через',
    help: 'Минут без запросов; 0 — никогда',
  },

  EmailDomainRestrictionEnabled: {
    label: 'Ограничить домены почты',
    help: 'Регистрироваться могут только домены ниже',
  },
  EmailAliasRestrictionEnabled: { label: 'Без псевдонимов почты', help: 'Отклоняет адреса с + или лишними точками' },
  EmailDomainWhitelist: {
    label: 'Разрешённые домены почты',
    help: 'Enter добавляет домен; можно вставить сразу несколько',
  },

  SMTPServer: { label: 'Сервер SMTP', help: 'Имя хоста, например smtp.example.com' },
  SMTPPort: { label: 'Порт SMTP', help: 'Обычно 587 или 465 с шифрованием сразу' },
  SMTPAccount: { label: 'Аккаунт SMTP', help: 'Имя пользователя почтового сервера' },
  SMTPFrom: { label: 'Адрес отправителя', help: 'Пусто — отправителем будет аккаунт' },
  SMTPToken: { label: 'Пароль SMTP', help: 'Пароль или код для приложений' },
  SMTPSSLEnabled: { label: 'Шифровать сразу', help: 'TLS с самого начала; на порту 465 — всегда' },

  TurnstileSiteKey: { label: 'Ключ сайта Turnstile', help: 'Открытый: его получает браузер каждого посетителя' },
  TurnstileSecretKey: { label: 'Секретный ключ Turnstile', help: 'С ним проверяет сервер' },

  GitHubClientId: { label: 'ID клиента GitHub', help: 'Адрес возврата там: адрес сервера + /oauth/github' },
  GitHubClientSecret: { label: 'Секрет клиента GitHub', help: 'Создаётся в приложении OAuth на GitHub' },

  oidc_client_id: { label: 'ID клиента OIDC', help: 'Адрес возврата там: адрес сервера + /oauth/oidc' },
  oidc_client_secret: { label: 'Секрет клиента OIDC', help: 'Выдаёт поставщик удостоверений' },
  oidc_well_known: {
    label: 'Документ обнаружения',
    help: 'Заканчивается на /.well-known/openid-configuration и содержит три адреса ниже',
  },
  oidc_authorization_endpoint: { label: 'Адрес авторизации', help: 'authorization_endpoint из документа' },
  oidc_token_endpoint: { label: 'Адрес токенов', help: 'token_endpoint из документа' },
  oidc_user_info_endpoint: { label: 'Адрес данных пользователя', help: 'userinfo_endpoint из документа' },

  LinuxDOClientId: { label: 'ID клиента LinuxDO', help: 'Адрес возврата там: адрес сервера + /oauth/linuxdo' },
  LinuxDOClientSecret: { label: 'Секрет клиента LinuxDO', help: 'Создаётся в LinuxDO Connect' },
  LinuxDOMinimumTrustLevel: { label: 'Наименьший уровень доверия', help: 'Аккаунты ниже не могут войти; от 0 до 4' },

  WeChatServerAddress: { label: 'Адрес службы WeChat', help: 'Где находится служба официального аккаунта' },
  WeChatServerToken: { label: 'Токен службы WeChat', help: 'Открывает эту службу' },
  WeChatAccountQRCodeImageURL: {
    label: 'QR-код аккаунта',
    help: 'Изображение при входе: адрес https или путь на этом сайте',
  },

  TelegramBotName: { label: 'Имя бота Telegram', help: 'Без @' },
  TelegramBotToken: { label: 'Токен бота Telegram', help: 'Выдаёт BotFather' },

  PayAddress: { label: 'Платёжный шлюз', help: 'Адрес Epay; пусто — онлайн-пополнение закрыто' },
  EpayId: { label: 'ID продавца', help: 'Ваш номер в Epay' },
  EpayKey: { label: 'Ключ продавца', help: 'Подписывает и проверяет платежи' },
  CustomCallbackAddress: { label: 'Адрес обратного вызова', help: 'Куда приходят результаты; пусто — адрес сервера' },
  Price: { label: 'Цена доллара', help: 'Сколько стоит 1 USD баланса в местной валюте' },
  MinTopUp: { label: 'Наименьшее пополнение', help: 'В долларах' },
  TopupGroupRatio: { label: 'Цена по группам', help: 'Скидки и надбавки к пополнениям по группам пользователей' },

  stripe_enabled: { label: 'Stripe', help: 'Нужны оба секрета ниже' },
  stripe_secret_key: { label: 'Секретный ключ Stripe', help: 'Начинается с sk_ или rk_' },
  stripe_webhook_secret: {
    label: 'Секрет webhook Stripe',
    help: 'Начинается с whsec_; подтверждает подлинность уведомлений',
  },
  stripe_currency: { label: 'Валюта Stripe', help: 'Код из трёх букв, например usd' },
  stripe_unit_price: { label: 'Цена доллара в Stripe', help: 'Сколько стоит 1 USD баланса в этой валюте' },

  Notice: { label: 'Объявление', help: 'Показывается всем после входа; Markdown и HTML' },
  About: { label: 'О сайте', help: 'Страница «О сайте»: Markdown, HTML или ссылка с https://' },
  HomePageContent: { label: 'Главная страница', help: 'Пусто — обычная; можно указать ссылку с https://' },
  Footer: { label: 'Подвал', help: 'HTML; пусто — обычный подвал' },
  content_trusted_html_enabled: {
    label: 'Доверять HTML выше',
    help: 'Показывается со скриптами в отдельной рамке, вдали от сеансов посетителей. Отключено: только безвредная разметка',
  },
  SystemName: { label: 'Название сайта', help: 'В заголовках, навигации и письмах' },
  Logo: { label: 'Логотип', help: 'Изображение: адрес https или путь на этом сайте; пусто — обычный' },
  custom_head_html: {
    label: 'Свой head',
    help: 'Вставляется в <head> каждой страницы, например для аналитики. Только то, чему доверяете',
  },
  global_css: { label: 'Общие стили', help: 'CSS для каждой страницы' },
  global_js: { label: 'Общий скрипт', help: 'Выполняется в браузере каждого посетителя. Только то, чему доверяете' },
}

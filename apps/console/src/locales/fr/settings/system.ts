/** Names of the system settings and of what visitors see, and a line on what each is for. */
export default {
  ServerAddress: {
    label: 'Adresse du serveur',
    help: 'L’adresse publique de ce site, pour les liens des e-mails et les retours : https://gate.example.com',
  },

  ReverseProxyEnabled: {
    label: 'Faire confiance à un proxy inverse',
    help: 'Lit l’adresse des visiteurs dans ses en-têtes ; seulement s’il y a vraiment un proxy devant',
  },
  ReverseProxyProvider: { label: 'Type de proxy', help: 'Détermine les en-têtes lus' },

  WorkerUrl: { label: 'Adresse du relais', help: 'Si définie, téléchargements et webhooks passent par lui' },
  WorkerValidKey: { label: 'Clé du relais', help: 'Envoyée au relais avec chaque requête' },

  audit_syslog_address: {
    label: 'Adresse syslog',
    help: 'RFC 5424 via tls://, tcp:// ou udp://, avec hôte et port. Vide : désactivé',
  },
  audit_webhook_url: {
    label: 'Adresse du webhook',
    help: 'Adresse https qui reçoit des lignes JSON signées. Vide : désactivé',
  },
  audit_webhook_secret: {
    label: 'Secret du webhook',
    help: 'Signe chaque requête afin que le destinataire puisse en vérifier l’origine',
  },

  PasswordLoginEnabled: {
    label: 'Connexion par mot de passe',
    help: 'Assurez-vous d’un autre moyen d’entrer avant de la désactiver',
  },
  PasswordRegisterEnabled: {
    label: 'Inscription par mot de passe',
    help: 'Désactivé : seulement par un autre service',
  },
  EmailVerificationEnabled: { label: 'Vérifier l’e-mail à l’inscription', help: 'Nécessite un serveur de messagerie' },
  RegisterEnabled: { label: 'Inscriptions', help: 'Désactivé : personne ne peut s’inscrire' },
  TurnstileCheckEnabled: { label: 'Vérification humaine', help: 'Nécessite les deux clés de Turnstile' },
  GitHubOAuthEnabled: { label: 'Connexion avec GitHub', help: 'Nécessite son ID client et son secret' },
  oidc_enabled: { label: 'Connexion avec OIDC', help: 'Nécessite son client et trois adresses' },
  LinuxDOOAuthEnabled: { label: 'Connexion avec LinuxDO', help: 'Nécessite son ID client et son secret' },
  WeChatAuthEnabled: { label: 'Connexion avec WeChat', help: 'Nécessite l’adresse et le jeton du service WeChat' },
  TelegramOAuthEnabled: { label: 'Connexion avec Telegram', help: 'Nécessite le jeton d’un bot' },
  security_new_device_mail_enabled: {
    label: 'E-mail à la connexion d’un nouvel appareil',
    help: 'Prévient l’utilisateur lorsqu’un navigateur se connecte pour la première fois à son compte ; nécessite un serveur de messagerie',
  },
  security_auth_failure_alert_threshold: {
    label: 'Alerte : échecs de connexion par heure',
    help: 'Le super administrateur est prévenu au-delà ; 0 pour jamais',
  },

  security_require_two_factor_for_admins: {
    label: 'Exiger un second facteur des administrateurs',
    help: 'Les administrateurs sans double authentification ni clé d’accès ne peuvent qu’en configurer une. Configurez d’abord la vôtre',
  },
  security_console_allowed_addresses: {
    label: 'Adresses autorisées pour les administrateurs',
    help: 'Adresses IP et plages depuis lesquelles les administrateurs peuvent utiliser la console et son API ; vide : partout. Doit contenir votre propre adresse',
  },
  security_session_days: {
    label: 'Durée des sessions',
    help: 'Les sessions prennent fin après ce nombre de jours, même celles déjà ouvertes',
  },
  security_session_idle_minutes: {
    label: 'Fin des sessions inactives',
    help: 'Minutes sans requête ; 0 : jamais',
  },

  EmailDomainRestrictionEnabled: {
    label: 'Restreindre les domaines d’e-mail',
    help: 'Seuls les domaines ci-dessous peuvent s’inscrire',
  },
  EmailAliasRestrictionEnabled: {
    label: 'Pas d’alias d’e-mail',
    help: 'Refuse les adresses avec + ou des points superflus',
  },
  EmailDomainWhitelist: {
    label: 'Domaines d’e-mail autorisés',
    help: 'Entrée en ajoute un ; plusieurs peuvent être collés à la fois',
  },

  SMTPServer: { label: 'Serveur SMTP', help: 'Un nom d’hôte, comme smtp.example.com' },
  SMTPPort: { label: 'Port SMTP', help: 'En général 587, ou 465 avec chiffrement dès le début' },
  SMTPAccount: { label: 'Compte SMTP', help: 'L’identifiant pour le serveur de messagerie' },
  SMTPFrom: { label: 'Adresse d’expéditeur', help: 'Vide : le compte est l’expéditeur' },
  SMTPToken: { label: 'Mot de passe SMTP', help: 'Le mot de passe, ou un code créé pour les applications' },
  SMTPSSLEnabled: { label: 'Chiffrer dès le début', help: 'TLS d’emblée ; toujours ainsi sur le port 465' },

  TurnstileSiteKey: { label: 'Clé de site Turnstile', help: 'Publique : chaque navigateur visiteur la reçoit' },
  TurnstileSecretKey: { label: 'Clé secrète Turnstile', help: 'Le serveur vérifie avec elle' },

  GitHubClientId: {
    label: 'ID client GitHub',
    help: 'Adresse de retour à y saisir : adresse du serveur + /oauth/github',
  },
  GitHubClientSecret: { label: 'Secret client GitHub', help: 'Créé dans l’application OAuth chez GitHub' },

  oidc_client_id: { label: 'ID client OIDC', help: 'Adresse de retour à y saisir : adresse du serveur + /oauth/oidc' },
  oidc_client_secret: { label: 'Secret client OIDC', help: 'Donné par le fournisseur d’identité' },
  oidc_well_known: {
    label: 'Document de découverte',
    help: 'Se termine par /.well-known/openid-configuration et indique les trois adresses ci-dessous',
  },
  oidc_authorization_endpoint: { label: 'Adresse d’autorisation', help: 'authorization_endpoint du document' },
  oidc_token_endpoint: { label: 'Adresse des jetons', help: 'token_endpoint du document' },
  oidc_user_info_endpoint: { label: 'Adresse des infos utilisateur', help: 'userinfo_endpoint du document' },

  LinuxDOClientId: {
    label: 'ID client LinuxDO',
    help: 'Adresse de retour à y saisir : adresse du serveur + /oauth/linuxdo',
  },
  LinuxDOClientSecret: { label: 'Secret client LinuxDO', help: 'Créé dans LinuxDO Connect' },
  LinuxDOMinimumTrustLevel: {
    label: 'Niveau de confiance minimal',
    help: 'Les comptes en dessous ne peuvent pas se connecter ; de 0 à 4',
  },

  WeChatServerAddress: { label: 'Adresse du service WeChat', help: 'Où se trouve le service du compte officiel' },
  WeChatServerToken: { label: 'Jeton du service WeChat', help: 'Donne accès à ce service' },
  WeChatAccountQRCodeImageURL: {
    label: 'Code QR du compte',
    help: 'L’image affichée à la connexion : une adresse https ou un chemin de ce site',
  },

  TelegramBotName: { label: 'Nom du bot Telegram', help: 'Sans le @' },
  TelegramBotToken: { label: 'Jeton du bot Telegram', help: 'Donné par BotFather' },

  PayAddress: { label: 'Passerelle de paiement', help: 'L’adresse d’Epay ; vide : recharge en ligne fermée' },
  EpayId: { label: 'ID marchand', help: 'Votre numéro chez Epay' },
  EpayKey: { label: 'Clé marchand', help: 'Signe et vérifie les paiements' },
  CustomCallbackAddress: {
    label: 'Adresse de retour',
    help: 'Où arrivent les résultats ; vide : l’adresse du serveur',
  },
  Price: { label: 'Prix d’un dollar', help: 'Ce que coûte 1 USD de solde en monnaie locale' },
  MinTopUp: { label: 'Recharge minimale', help: 'En dollars' },
  TopupGroupRatio: { label: 'Prix par groupe', help: 'Remises ou majorations des recharges par groupe d’utilisateurs' },

  stripe_enabled: { label: 'Stripe', help: 'Nécessite les deux secrets ci-dessous' },
  stripe_secret_key: { label: 'Clé secrète Stripe', help: 'Commence par sk_ ou rk_' },
  stripe_webhook_secret: {
    label: 'Secret de webhook Stripe',
    help: 'Commence par whsec_ ; prouve que les notifications sont authentiques',
  },
  stripe_currency: { label: 'Devise Stripe', help: 'Un code à trois lettres, comme usd' },
  stripe_unit_price: { label: 'Prix d’un dollar chez Stripe', help: 'Ce que coûte 1 USD de solde dans cette devise' },

  Notice: { label: 'Annonce', help: 'Affichée à tous après la connexion ; Markdown et HTML' },
  About: { label: 'À propos', help: 'La page À propos : Markdown, HTML ou un lien commençant par https://' },
  HomePageContent: {
    label: 'Page d’accueil',
    help: 'Vide : la page par défaut ; peut être un lien commençant par https://',
  },
  Footer: { label: 'Pied de page', help: 'HTML ; vide : le pied de page par défaut' },
  content_trusted_html_enabled: {
    label: 'Faire confiance au HTML ci-dessus',
    help: 'Affiché avec ses scripts dans un cadre isolé, hors des sessions des visiteurs. Désactivé : balisage inoffensif seulement',
  },
  SystemName: { label: 'Nom du site', help: 'Dans les titres, la navigation et les e-mails' },
  Logo: { label: 'Logo', help: 'Une image : adresse https ou chemin de ce site ; vide : celle par défaut' },
  custom_head_html: {
    label: 'En-tête personnalisé',
    help: 'Placé dans le <head> de chaque page, pour les statistiques par exemple. Seulement ce qui est de confiance',
  },
  global_css: { label: 'Styles globaux', help: 'CSS pour chaque page' },
  global_js: {
    label: 'Script global',
    help: 'S’exécute dans le navigateur de chaque visiteur. Seulement ce qui est de confiance',
  },
}

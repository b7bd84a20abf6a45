'use strict';

window.SwaggerUIBundle({
  dom_id: '#page',
  url: 'apipage/openapi.yaml',
  tryItOutEnabled: true,
  defaultModelsExpandDepth: 0,
  displayRequestDuration: true,
  // Otherwise the description would be sent to a validator on the internet.
  validatorUrl: null,
});

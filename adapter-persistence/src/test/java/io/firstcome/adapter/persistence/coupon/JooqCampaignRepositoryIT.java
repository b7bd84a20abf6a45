package io.firstcome.adapter.persistence.coupon;

import io.firstcome.adapter.persistence.TestDatabase;
import io.firstcome.contracts.database.CampaignRepositoryContract;
import io.firstcome.contracts.database.DatabasePorts;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.TestInstance;

/** {@link JooqCampaignRepository} against its contract. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class JooqCampaignRepositoryIT extends CampaignRepositoryContract {

  private final TestDatabase database = new TestDatabase(JooqCampaignRepositoryIT.class);

  @Override
  protected DatabasePorts emptyDatabase() {
    return database.empty();
  }

  @AfterAll
  void close() {
    database.close();
  }
}

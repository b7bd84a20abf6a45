package io.firstcome.bootstrap.wiring;

import io.firstcome.domain.coupon.StockBackend;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * What a deployment can set, under {@code firstcome}.
 *
 * @param partitions shares of all coupons; few on one Redis node. Coupons keep the partition they
 *     were defined in, so a lower number is refused until those beyond it are archived
 * @param codeKeys secret keys by version from 1, each at least 32 bytes in base 64. A version must
 *     stay while a coupon that was defined with it is not archived
 * @param activeCodeKey the version that new coupons take, one of {@code codeKeys}. It must be given
 *     where several are installed: to install a key on every instance comes before its first use
 * @param strict whether the service refuses to start where a server is set in a way that weakens a
 *     promise, or cannot be asked
 * @param stock where new coupons have their stock that do not say it: {@code redis}, with a broker
 *     beside it, or {@code postgres}, with which the deployment has neither
 * @param replicas of Redis that must have a claim before it is answered; 0 waits for none
 * @param instance what this instance is called among the readers of the hand-off log
 */
@ConfigurationProperties("firstcome")
public record FirstcomeProperties(
    @DefaultValue("4") int partitions,
    @DefaultValue Map<Integer, String> codeKeys,
    @Nullable Integer activeCodeKey,
    @DefaultValue("false") boolean strict,
    @DefaultValue("redis") StockBackend stock,
    @DefaultValue("0") int replicas,
    String instance) {}

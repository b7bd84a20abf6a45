package io.firstcome.bootstrap.wiring;

import io.firstcome.domain.coupon.StockBackend;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * The settings of a deployment, under {@code firstcome}.
 *
 * @param partitions the number of partitions; few on one Redis node. Coupons keep the partition
 *     they were defined in, so a lower number is refused until the coupons beyond it are archived
 * @param codeKeys secret keys by version from 1, each at least 32 bytes in base 64. A version must
 *     stay while a coupon that was defined with it is not archived
 * @param activeCodeKey the version that new coupons use, one of {@code codeKeys}. It must be set if
 *     several are installed: a key must be installed on every instance before its first use
 * @param strict whether the service refuses to start if a server has a setting that weakens a
 *     promise, or is not reachable
 * @param stock the backend of new coupons whose definition names none: {@code redis}, which needs a
 *     broker too, or {@code postgres}, with which the deployment has neither Redis nor a broker
 * @param replicas the number of Redis replicas that must have a claim before its reply; 0 waits for
 *     none
 * @param ownersUse whether owners use user coupons themselves, at an amount that they state; for
 *     deployments without an order service or tills
 * @param proxies the addresses of the proxies, such as a gateway or a load balancer, whose header
 *     {@code X-Forwarded-For} names the client; addresses, or networks such as {@code 10.0.0.0/8}.
 *     Null if only programs on the same machine are proxies
 * @param warmUp how long an instance executes claims without an effect before it is ready, at most;
 *     0 for not at all
 * @param instance the name of this instance as a reader of the hand-off log
 */
@ConfigurationProperties("firstcome")
public record FirstcomeProperties(
    @DefaultValue("4") int partitions,
    @DefaultValue Map<Integer, String> codeKeys,
    @Nullable Integer activeCodeKey,
    @DefaultValue("false") boolean strict,
    @DefaultValue("redis") StockBackend stock,
    @DefaultValue("0") int replicas,
    @DefaultValue("false") boolean ownersUse,
    @Nullable List<String> proxies,
    @DefaultValue("5s") Duration warmUp,
    String instance) {}

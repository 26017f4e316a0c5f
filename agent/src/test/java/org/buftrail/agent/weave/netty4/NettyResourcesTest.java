package org.buftrail.agent.weave.netty4;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class NettyResourcesTest {
  @ParameterizedTest
  @CsvSource({
    "io/netty/util/HashedWheelTimer, true, true",
    "com/acme/io/netty/util/HashedWheelTimer, true, true",
    "io/netty/util/Timer, true, false",
    "io/netty/handler/ssl/SslContext, true, false",
    "io/netty/handler/ssl/ReferenceCountedOpenSslEngine, true, true",
    "io/netty/handler/codec/dns/DnsQuery, true, false",
    "javax/net/ssl/SSLEngine, true, false",
    "java/util/Timer, false, false",
    "com/acme/util/HashedWheelTimer, false, false",
    "io/netty/util/HashedWheelTimerTest, false, false",
  })
  void aTypeIsOneByItsNameInNetty(String name, boolean type, boolean owner) {
    assertThat(NettyResources.isType(name)).isEqualTo(type);
    assertThat(NettyResources.isOwner(name)).isEqualTo(owner);
  }

  @ParameterizedTest
  @CsvSource({
    "io/netty/util/HashedWheelTimer, true",
    "io/netty/handler/codec/dns/DatagramDnsQuery, true",
    "io/netty/buffer/ByteBuf, false",
  })
  void whatAClassMayConstructIsInItsFile(String text, boolean made) {
    byte[] file = ("xx" + text + "xx").getBytes(StandardCharsets.UTF_8);
    assertThat(NettyResources.areMadeIn(file)).isEqualTo(made);
  }
}

// ISSUE netty/netty#12762
// DEPS io.netty:netty-codec-http:4.1.80.Final
// REPAIRED 4.1.81.Final
// CULPRIT io.netty.handler.codec.http.HttpClientCodec$Encoder.encode
// INCLUDE io.netty.handler.codec.http

package org.buftrail.museum;

import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.codec.http.HttpClientCodec;

/** What is written after an upgrade is retained once too often. */
final class UpgradedHttpClient {
  public static void main(String[] args) throws Exception {
    Visits.run(UpgradedHttpClient::write);
  }

  private static void write(boolean upgraded) {
    HttpClientCodec codec = new HttpClientCodec();
    EmbeddedChannel channel = upgraded ? new EmbeddedChannel(codec) : new EmbeddedChannel();
    if (upgraded) {
      codec.prepareUpgradeFrom(null);
    }
    channel.writeOutbound(channel.alloc().directBuffer(8).writeLong(1));
    channel.finishAndReleaseAll();
  }
}

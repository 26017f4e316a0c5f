// ISSUE netty/netty#15033
// DEPS io.netty:netty-codec-dns:4.2.0.Final
// REPAIRED 4.2.1.Final
// CULPRIT io.netty.handler.codec.dns.TcpDnsQueryDecoder.decode
// INCLUDE io.netty.handler.codec

package org.buftrail.museum;

import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.codec.dns.DefaultDnsQuery;
import io.netty.handler.codec.dns.DefaultDnsQuestion;
import io.netty.handler.codec.dns.DnsOpCode;
import io.netty.handler.codec.dns.DnsRecordType;
import io.netty.handler.codec.dns.DnsSection;
import io.netty.handler.codec.dns.TcpDnsQueryDecoder;
import io.netty.handler.codec.dns.TcpDnsQueryEncoder;

/** The frame that a query is read from is nobody's. */
final class TcpDnsQuery {
  public static void main(String[] args) throws Exception {
    Visits.run(TcpDnsQuery::ask);
  }

  private static void ask(boolean overTcp) {
    EmbeddedChannel client = new EmbeddedChannel(new TcpDnsQueryEncoder());
    client.writeOutbound(
        new DefaultDnsQuery(7, DnsOpCode.QUERY)
            .setRecord(
                DnsSection.QUESTION, new DefaultDnsQuestion("example.com.", DnsRecordType.A)));
    EmbeddedChannel server =
        overTcp ? new EmbeddedChannel(new TcpDnsQueryDecoder()) : new EmbeddedChannel();
    server.writeInbound((Object) client.readOutbound());
    server.finishAndReleaseAll();
    client.finishAndReleaseAll();
  }
}

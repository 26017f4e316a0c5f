package org.buftrail.report;

import java.io.IOException;
import java.util.List;
import org.buftrail.model.DirectMemory;
import org.buftrail.model.Path;
import org.jspecify.annotations.Nullable;

/** The direct buffers that are not Netty's, as text for a person. */
final class DirectText {
  private static final int MAX_SITES = 10;

  private DirectText() {}

  static void write(@Nullable DirectMemory direct, Appendable out) throws IOException {
    if (direct == null) {
      return;
    }
    out.append("\nDIRECT BUFFERS of the application's own calls, most live bytes first\n");
    List<DirectMemory.CallSite> sites = direct.sites();
    for (DirectMemory.CallSite site : sites.subList(0, Math.min(MAX_SITES, sites.size()))) {
      out.append("  ").append(PeakText.amount(site.live())).append(" of ");
      out.append(Wording.shortPlace(new Path.Hop(site.site(), "", false, false)));
      out.append("; ").append(PeakText.amount(site.allocated())).append(" since the start\n");
    }
    if (sites.size() > MAX_SITES) {
      out.append("  ... ").append(Wording.count(sites.size() - MAX_SITES));
      out.append(" calls not shown\n");
    }
    if (sites.isEmpty()) {
      out.append("  none was allocated\n");
    }
    for (DirectMemory.Account account : direct.accounts()) {
      out.append("  ").append(account(account, direct.live().bytes())).append('\n');
    }
  }

  /** {@code JVM, direct: 300.0 MiB in 75 buffers, 32.0 MiB by these calls; at most ..}. */
  private static String account(DirectMemory.Account account, long bySites) {
    StringBuilder text = new StringBuilder(account.name()).append(": ");
    boolean isCounted = account.buffers() != DirectMemory.Account.UNKNOWN;
    text.append(
        isCounted
            ? PeakText.amount(new Path.Flows(account.buffers(), account.bytes()))
            : Wording.bytes(account.bytes()));
    if (account.name().equals("JVM, direct")) {
      text.append(", ").append(Wording.bytes(Math.max(0, account.bytes() - bySites)));
      text.append(" not by these calls: NIO's own by thread, Netty's, and libraries'");
    }
    if (account.limit() != DirectMemory.Account.UNKNOWN) {
      text.append("; at most ").append(Wording.bytes(account.limit()));
      text.append(", ").append(Wording.share(account.bytes(), account.limit())).append(" used");
    }
    return text.toString();
  }
}

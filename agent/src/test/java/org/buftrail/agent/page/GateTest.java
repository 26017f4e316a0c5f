package org.buftrail.agent.page;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.buftrail.report.http.Request;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Requests that the page must refuse for their headers alone, tested without a socket. */
final class GateTest {
  private static final Map<String, String> ROUTES = Map.of("/", "GET", "/api/reset", "POST");
  private static final Set<String> OPEN = Set.of("/");

  /** Headers are parted by a bar. */
  private static int check(Gate gate, String method, String uri, String headers) {
    Map<String, List<String>> all = new TreeMap<>();
    for (String header : headers.split("\\|", -1)) {
      if (!header.isEmpty()) {
        int colon = header.indexOf(':');
        String name = header.substring(0, colon).toLowerCase(Locale.ROOT);
        all.put(name, List.of(header.substring(colon + 1)));
      }
    }
    return gate.check(new Request(method, URI.create(uri), true, all), ROUTES, OPEN);
  }

  @ParameterizedTest
  @CsvSource({
    "localhost, 200",
    "LOCALHOST:8077, 200",
    "127.0.0.1:8077, 200",
    "[::1], 200",
    "[::1]:8077, 200",
    "::1, 421",
    "localhost.evil.example, 421",
    "evil.example:8077, 421",
    "127.0.0.1.evil.example, 421",
    "127.0.0.2, 421",
    "'', 421",
  })
  void namesThatAreNotOfThisMachineAreMisdirected(String host, int status) {
    assertThat(check(new Gate(false, null), "GET", "/", "Host:" + host)).isEqualTo(status);
    // Where other hosts are wanted, so are all names.
    assertThat(check(new Gate(true, null), "GET", "/", "Host:" + host)).isEqualTo(200);
  }

  @Test
  void aRequestWithoutAHostIsMisdirectedWhereverItIsFrom() {
    assertThat(check(new Gate(false, null), "GET", "/", "")).isEqualTo(421);
    assertThat(check(new Gate(true, null), "GET", "/", "")).isEqualTo(421);
  }

  @ParameterizedTest
  @CsvSource({
    "'', 403",
    "X-Buftrail:1, 200",
    "X-Buftrail:, 200",
    "X-Buftrail:1|Origin:http://localhost, 200",
    "X-Buftrail:1|Origin:https://localhost, 200",
    "X-Buftrail:1|Origin:http://localhost.evil.example, 403",
    "X-Buftrail:1|Origin:https://localhost.evil.example, 403",
    "X-Buftrail:1|Origin:http://localhost:8077, 403",
    "X-Buftrail:1|Origin:null, 403",
    "X-Buftrail:1|Origin:, 403",
    "Origin:http://localhost, 403",
  })
  void whatChangesSomethingIsAskedForByThePageItself(String headers, int status) {
    Gate gate = new Gate(false, null);
    assertThat(check(gate, "POST", "/api/reset", "Host:localhost|" + headers)).isEqualTo(status);
    // What only shows may be asked for from anywhere: the browser keeps the answer.
    assertThat(check(gate, "GET", "/", "Host:localhost|" + headers)).isEqualTo(200);
  }

  @ParameterizedTest
  @CsvSource({
    "Content-Length:0, 200",
    "Content-Length:1024, 200",
    "Content-Length: 7 , 200",
    "Content-Length:1025, 413",
    "Content-Length:-1, 413",
    "Content-Length:99999999999999999999, 413",
    "Content-Length:x, 413",
    "Content-Length:, 413",
    "Transfer-Encoding:identity, 413",
  })
  void bodiesHaveNoUse(String header, int status) {
    assertThat(check(new Gate(false, null), "GET", "/", "Host:localhost|" + header))
        .isEqualTo(status);
  }

  @Test
  void addressesAreOfAThousandCharacters() {
    Gate gate = new Gate(false, null);
    assertThat(check(gate, "GET", "/?" + "a".repeat(1_022), "Host:localhost")).isEqualTo(200);
    assertThat(check(gate, "GET", "/?" + "a".repeat(1_023), "Host:localhost")).isEqualTo(414);
  }

  @ParameterizedTest
  @CsvSource({
    "POST, /api/reset, Bearer secret, 200",
    "POST, /api/reset, bearer secret, 200",
    "POST, /api/reset, Bearer secret2, 401",
    "POST, /api/reset, Bearer secre, 401",
    "POST, /api/reset, Basic secret, 401",
    "POST, /api/reset, Bearer, 401",
    "POST, /api/reset, '', 401",
    // Without a token, a request does not learn what exists.
    "GET, /api/reset, '', 401",
    "GET, /nowhere, '', 401",
    "GET, /api/reset, Bearer secret, 405",
    "GET, /nowhere, Bearer secret, 404",
    "GET, /, '', 200",
    "PUT, /, '', 405",
  })
  void allButThePageNeedsTheToken(String method, String uri, String authorization, int status) {
    String headers = "Host:localhost|X-Buftrail:1";
    if (!authorization.isEmpty()) {
      headers += "|Authorization:" + authorization;
    }
    assertThat(check(new Gate(false, "secret"), method, uri, headers)).isEqualTo(status);
  }
}

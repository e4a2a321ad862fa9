Feature: Shop

  Scenario: A forgotten password
    Given the shop is open
    When I ask for a new password
    Then I see "Send reset link"

  Scenario: It fails as nothing was bought
    Given the shop is open
    Then I see "Cart, 1 item"
